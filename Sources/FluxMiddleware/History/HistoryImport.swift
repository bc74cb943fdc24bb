public import FluxCore
public import Foundation

/// An action that replaces the record of a history with an exported record, and replays the
/// exported record.
///
/// ```swift
/// let report = try history.importing(data, with: registry)
/// store.dispatch(report)
/// guard history.record.lastImport?.arrived == true else { … }
/// ```
///
/// The action replaces the entries, the branches, and the unrecorded actions of the history.
///
/// The action is reduced in the same serial order as all other actions. The history replays the
/// entries up to the exported position, and the result becomes the state of the store. Entries
/// beyond the limit remain until the next action is recorded. The import does not pause,
/// resume, lock, or unlock the history, and does not change the state to which
/// ``HistoryAction/Command/reset`` returns.
public struct HistoryImport: Action, CustomStringConvertible {
  /// The outcome of an import.
  public struct Outcome: Equatable, Sendable {
    /// A Boolean value that indicates whether the replay produced the exported state.
    ///
    /// The replay can produce a different state if the reducer has changed or is not pure, or if
    /// the export did not contain the state after an unknown action. The replay can also produce a
    /// different state if other features were attached when the actions were recorded. `Equatable`
    /// states are compared with `==`. Other states, and states that contain ``FeatureStates``, are
    /// compared by their encodings.
    public let arrived: Bool
    /// The actions that were not replayed because the registry did not contain their names.
    public let unknownActions: [UnknownAction]

    /// Creates an outcome.
    public init(arrived: Bool, unknownActions: [UnknownAction]) {
      self.arrived = arrived
      self.unknownActions = unknownActions
    }
  }

  /// The name of the history into which the record is imported, or `nil` for a history without a
  /// name.
  public let history: String?
  /// The number of imported entries.
  public let count: Int
  /// The actions whose names the registry does not contain, in the order of the record.
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
  /// The history does not change until the action is dispatched. Each action that is not
  /// registered becomes an ``UnknownAction``. The history keeps an unknown action and exports it
  /// again unchanged, but does not reduce it.
  ///
  /// - Parameters:
  ///   - data: JSON in the format of ``export(from:at:with:redacting:)``.
  ///   - registry: The actions that can be decoded.
  ///   - keepsUnknownActions: A Boolean value that indicates whether actions that are not
  ///     registered are accepted.
  /// - Returns: The action that imports the record into this history.
  /// - Throws: A ``HistoryError`` that describes the problem with the data. The code of the
  ///   error is ``HistoryError/Code/unknownAction`` if an action is not registered and
  ///   `keepsUnknownActions` is `false`.
  public func importing(
    _ data: Data, with registry: ActionRegistry, keepingUnknownActions keepsUnknownActions: Bool = true
  ) throws(HistoryError) -> HistoryImport {
    let contents: HistoryContents<State>
    do {
      try HistoryDocument<State>.Header.check(data)
      contents = try FeatureNumber.$ofDecodedStates.withValue(.imported) {
        try JSONDecoder.ofHistory().decode(
          HistoryDocument<State>.self, from: data, configuration: registry
        ).contents
      }
    } catch let error as HistoryError {
      throw error
    } catch {
      throw HistoryError(.wrongFormat, "The data is not an exported history: \(error.codingReason).")
    }
    let unknownActions = contents.unknownActions
    if !keepsUnknownActions, let first = unknownActions.first {
      throw HistoryError(
        .unknownAction,
        """
        Actions in the history that are not registered: \(unknownActions.count). The first is \(first). \
        Register their types, or pass true for keepingUnknownActions:.
        """)
    }
    return HistoryImport(
      history: name, count: contents.entries.count, unknownActions: unknownActions,
      contents: HistoryReplay(contents))
  }
}

/// The data for a replay: the record, and a function that compares a state with the exported
/// state.
struct HistoryReplay<State: Sendable>: Sendable {
  let contents: HistoryContents<State>
  let isExported: @Sendable (State) -> Bool

  init(_ contents: HistoryContents<State>) where State: Codable {
    self.contents = contents
    isExported = { state in
      let isEqual = areDynamicallyEqual(contents.state, state)
      // The states of features are JSON in the exported state, and are decoded in the other state.
      if let isEqual, isEqual || !FeatureStates.areStored(in: state) { return isEqual }
      do {
        let encoder = JSONEncoder.ofHistory()
        return try encoder.encode(state) == encoder.encode(contents.state)
      } catch {
        // A state that cannot be encoded is treated as different from the exported state.
        return false
      }
    }
  }
}

extension HistoryDocument.Header {
  /// Throws an error unless the data is an exported history that this version of the package can
  /// read.
  static func check(_ data: Data) throws {
    let header: Self
    do {
      header = try JSONDecoder.ofHistory().decode(Self.self, from: data)
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
      throw HistoryError(.notJSON, "The data is not valid JSON: \(context.debugDescription)")
    }
    guard header.format == format, header.version >= 1 else {
      throw HistoryError(
        .wrongFormat,
        "The data is not an exported history. Its format is \"\(header.format)\", version \(header.version).")
    }
    guard header.version <= version else {
      throw HistoryError(
        .newerVersion,
        "The history has format version \(header.version), but this program reads versions up to \(version).")
    }
  }
}
