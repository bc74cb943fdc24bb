public import FluxCore
public import Foundation

/// An action that puts an exported record in place of a history's own, and replays it.
///
/// ```swift
/// let report = try history.importing(data, with: registry)
/// store.dispatch(report)
/// guard history.record.lastImport?.arrived == true else { … }
/// ```
///
/// It replaces the entries, the branches, and the unrecorded actions of the history.
///
/// It is reduced in order like every other action. The state becomes that which replaying the entries up to
/// the exported position ends in. Entries beyond the limit stay until the next action is recorded. Whether
/// the history is paused or locked stays as it is, and so does what ``HistoryAction/Command/reset`` returns
/// to.
public struct HistoryImport: Action, CustomStringConvertible {
  /// What came of an import.
  public struct Outcome: Equatable, Sendable {
    /// Whether replaying ended in the state that was exported.
    ///
    /// It does not when the reducer is another than it was, or is not pure, or when the state behind an
    /// unknown action was not in the export. States are compared by `==`, or by how they encode if they have
    /// none.
    public let arrived: Bool
    /// The actions that no registry knew, and that were left out.
    public let unknownActions: [UnknownAction]

    /// Creates an outcome.
    public init(arrived: Bool, unknownActions: [UnknownAction]) {
      self.arrived = arrived
      self.unknownActions = unknownActions
    }
  }

  /// The name of the history that it is for; `nil` is that of a history without a name.
  public let history: String?
  /// How many entries it brings.
  public let count: Int
  /// The actions that the registry does not know, in order.
  public let unknownActions: [UnknownAction]

  /// A ``HistoryReplay`` of the history's state.
  let contents: any Sendable

  /// How many entries it brings, and for which history.
  public var description: String {
    "History: import of \(count) entries" + (history.map { " in \($0)" } ?? "")
  }
}

extension History where State: Codable {
  /// Reads an exported record, to be dispatched.
  ///
  /// Nothing changes until the action is dispatched, and nothing at all when this throws. Actions that are
  /// not registered become ``UnknownAction``s: they are kept and shown, left out by reducing, and exported
  /// again as they came.
  ///
  /// - Parameters:
  ///   - data: JSON as ``export(from:at:with:redacting:)`` writes it.
  ///   - registry: The actions that can be read.
  ///   - keepsUnknownActions: Whether actions that are not registered are let in.
  /// - Returns: The action that imports the record into this history.
  /// - Throws: What is wrong with the data; ``HistoryError/Code/unknownAction`` if there are such and they
  ///   are not
  ///   let in.
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

/// What a replay needs: the record, and a way to tell whether a state is the one that was exported.
struct HistoryReplay<State: Sendable>: Sendable {
  let contents: HistoryContents<State>
  let isExported: @Sendable (State) -> Bool

  init(_ contents: HistoryContents<State>) where State: Codable {
    self.contents = contents
    isExported = { state in
      if let exported = contents.state as? any Equatable { return exported.isEqual(to: state) }
      do {
        let encoder = JSONEncoder.ofHistory()
        return try encoder.encode(state) == encoder.encode(contents.state)
      } catch {
        // What cannot be encoded is not what was.
        return false
      }
    }
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool {
    other as? Self == self
  }
}

extension HistoryDocument.Header {
  /// Finds out whether data is an exported history that can be read.
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
