public import FluxCore
public import Foundation

/// An action that replaces the record of a history with an exported one, and replays it.
///
/// ```swift
/// let report = try history.importing(data, with: registry)
/// store.dispatch(report)
/// guard history.record.lastImport?.arrived == true else { … }
/// ```
///
/// The action replaces the entries, the branches, and the unrecorded actions of the history.
///
/// It is reduced in order like every other action. The entries up to the exported position are
/// replayed, and the result becomes the state. Entries beyond the limit remain until the next
/// action is recorded. The import does not change whether the history is paused or locked, or
/// the state to which ``HistoryAction/Command/reset`` returns.
public struct HistoryImport: Action, CustomStringConvertible {
  /// The outcome of an import.
  public struct Outcome: Equatable, Sendable {
    /// A Boolean value that indicates whether the replay ended in the exported state.
    ///
    /// The replay ends in another state if the reducer has changed or is not pure, or if the
    /// export did not contain the state after an unknown action. States are compared with `==`,
    /// or by their encoding if they are not `Equatable`.
    public let arrived: Bool
    /// The actions that were left out because the registry did not contain their names.
    public let unknownActions: [UnknownAction]

    /// Creates an outcome.
    public init(arrived: Bool, unknownActions: [UnknownAction]) {
      self.arrived = arrived
      self.unknownActions = unknownActions
    }
  }

  /// The name of the history that imports; `nil` stands for a history without a name.
  public let history: String?
  /// The number of imported entries.
  public let count: Int
  /// The actions whose names the registry does not contain, in order.
  public let unknownActions: [UnknownAction]

  /// A ``HistoryReplay`` of the history's state.
  let contents: any Sendable

  /// The number of imported entries, and the name of the history if it has one.
  public var description: String {
    "History: import of \(count) entries" + (history.map { " in \($0)" } ?? "")
  }
}

extension History where State: Codable {
  /// Decodes an exported record, and returns an action that imports it.
  ///
  /// Nothing changes until the action is dispatched. If this method throws, nothing changes at
  /// all. Actions that are not registered become ``UnknownAction``s: they are kept and shown,
  /// are not reduced, and are exported again unchanged.
  ///
  /// - Parameters:
  ///   - data: JSON in the format of ``export(from:at:with:redacting:)``.
  ///   - registry: The actions that can be decoded.
  ///   - keepsUnknownActions: A Boolean value that indicates whether actions that are not
  ///     registered are accepted.
  /// - Returns: The action that imports the record into this history.
  /// - Throws: An error that describes the problem of the data;
  ///   ``HistoryError/Code/unknownAction`` if an action is not registered and such actions are
  ///   not accepted.
  public func importing(
    _ data: Data, with registry: ActionRegistry, keepingUnknownActions keepsUnknownActions: Bool = true
  ) throws(HistoryError) -> HistoryImport {
    let contents: HistoryContents<State>
    do {
      try HistoryDocument<State>.Header.check(data)
      contents = try JSONDecoder.ofHistory().decode(
        HistoryDocument<State>.self, from: data, configuration: registry
      ).contents
    } catch let error as HistoryError {
      throw error
    } catch {
      throw HistoryError(.wrongFormat, "This is no exported history: \(error.codingReason).")
    }
    let unknownActions = contents.unknownActions
    if !keepsUnknownActions, let first = unknownActions.first {
      throw HistoryError(
        .unknownAction,
        """
        Actions that are not registered: \(unknownActions.count), the first of which is \(first). Register \
        them, or let them in.
        """)
    }
    return HistoryImport(
      history: name, count: contents.entries.count, unknownActions: unknownActions,
      contents: HistoryReplay(contents))
  }
}

/// The data of a replay: the record, and a function that compares a state with the exported one.
struct HistoryReplay<State: Sendable>: Sendable {
  let contents: HistoryContents<State>
  let isExported: @Sendable (State) -> Bool

  init(_ contents: HistoryContents<State>) where State: Codable {
    self.contents = contents
    isExported = { state in
      if let isEqual = areDynamicallyEqual(contents.state, state) { return isEqual }
      do {
        let encoder = JSONEncoder.ofHistory()
        return try encoder.encode(state) == encoder.encode(contents.state)
      } catch {
        // A state that cannot be encoded differs from the exported state.
        return false
      }
    }
  }
}

extension HistoryDocument.Header {
  /// Checks whether data is an exported history that this version can read.
  static func check(_ data: Data) throws {
    let header: Self
    do {
      header = try JSONDecoder.ofHistory().decode(Self.self, from: data)
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
      throw HistoryError(.notJSON, "This is no JSON: \(context.debugDescription)")
    }
    guard header.format == format, header.version >= 1 else {
      throw HistoryError(
        .wrongFormat, "This is no exported history, but \"\(header.format)\", version \(header.version).")
    }
    guard header.version <= version else {
      throw HistoryError(
        .newerVersion,
        "The history is of version \(header.version) of the format, and up to \(version) can be read here.")
    }
  }
}
