public import FluxCore
public import Foundation

extension History where State: Codable {
  /// Writes the record as JSON: the base, all entries, done and undone, the position and the state there.
  ///
  /// For a crash report, or to go on elsewhere. The JSON is the same for the same record, line by line, as
  /// far as the coding of states and actions is. Actions that are not registered are written with their
  /// type's name and their description, and with the state behind them if it is kept: they are shown after an
  /// import, and not reduced. Whether the history is paused or locked is not written, and neither are branches.
  ///
  /// Preserved unrecorded actions are written one by one, so that an undo after the import preserves them too.
  /// If one of them is not registered, the state behind the entry is written in their place, if it is kept. An
  /// undo of that entry after the import discards what they changed.
  ///
  /// The record and the state are read at one moment. All else is done outside of any lock, on this thread:
  /// O(n) for n entries, which are shared with the history until they have been copied, as ``History``
  /// explains at *Reading*.
  ///
  /// - Parameters:
  ///   - store: The store of this history.
  ///   - part: The state of this history, in that of the store: a key path, or a closure that runs under
  ///     the store's lock.
  ///   - registry: The actions that can be written.
  ///   - redaction: What is secret, by the names and paths that it has in the JSON. A value of the same kind
  ///     replaces a secret value, and a secret dictionary is empty. Keys and ids that give a secret away are
  ///     replaced too; a list in which two ids have become equal cannot be imported.
  /// - Throws: ``HistoryError/Code/unencodable``.
  public func export<Whole>(
    from store: Store<Whole>, at part: (Whole) -> State, with registry: ActionRegistry,
    redacting redaction: Redaction = .none
  ) throws(HistoryError) -> Data {
    try encoded(contents(of: store, at: part), with: registry, redacting: redaction)
  }

  /// Writes the record as JSON: ``export(from:at:with:redacting:)`` of a store that may be gone.
  ///
  /// - Parameters:
  ///   - store: The store of this history, as seen for its state.
  ///   - registry: The actions that can be written.
  ///   - redaction: What is secret.
  /// - Returns: The JSON; `nil` when the store has gone.
  /// - Throws: ``HistoryError/Code/unencodable``.
  public func export(
    from store: StoreProxy<State>, with registry: ActionRegistry, redacting redaction: Redaction = .none
  ) throws(HistoryError) -> Data? {
    guard let contents = contents(of: store) else { return nil }
    return try encoded(contents, with: registry, redacting: redaction)
  }

  // What is taken out of the locks is let go of before anything is encoded, so that an action that comes
  // meanwhile need not copy it.

  private func contents<Whole>(
    of store: Store<Whole>, at part: (Whole) -> State
  ) -> HistoryContents<State> {
    // No action is being reduced meanwhile, so the state is that of the record's position.
    let (state, shared) = store.withState { whole in (part(whole), timeline.withLock { $0 }) }
    return shared.contents(with: state)
  }

  private func contents(of store: StoreProxy<State>) -> HistoryContents<State>? {
    let shared = atOneMoment(with: store) { timeline, state in (timeline, state) }
    return shared.map { timeline, state in timeline.contents(with: state) }
  }

  private func encoded(
    _ contents: HistoryContents<State>, with registry: ActionRegistry, redacting redaction: Redaction
  ) throws(HistoryError) -> Data {
    do {
      let document = HistoryDocument(contents: contents, registry: registry, redaction: redaction)
      let data = try JSONEncoder.ofHistory(marksProperties: !redaction.isNone).encode(document)
      if redaction.isNone { return data }
      let value = try JSONDecoder().decode(JSONValue.self, from: data)
      return try JSONEncoder.ofHistory().encode(redaction.history(value))
    } catch let error as HistoryError {
      throw error
    } catch {
      // A reason may tell the value.
      let reason = redaction.isNone ? ": \(error.codingReason)" : ""
      throw HistoryError(.unencodable, "The history cannot be encoded\(reason).")
    }
  }
}

extension History where State: Codable & FluxState {
  /// Writes the record as JSON: ``export(from:at:with:redacting:)`` of the store's whole state.
  ///
  /// - Parameters:
  ///   - store: The store of this history.
  ///   - registry: The actions that can be written.
  ///   - redaction: What is secret.
  /// - Throws: ``HistoryError/Code/unencodable``.
  public func export(
    from store: Store<State>, with registry: ActionRegistry, redacting redaction: Redaction = .none
  ) throws(HistoryError) -> Data {
    try export(from: store, at: \.self, with: registry, redacting: redaction)
  }
}

extension JSONEncoder {
  /// An encoder that writes numbers beyond JSON as text, so that one of them does not make a report
  /// impossible.
  ///
  /// - Parameter marksProperties: Whether names of properties have a mark, for a redaction: see ``MarkedName``.
  static func ofHistory(marksProperties: Bool = false) -> JSONEncoder {
    let encoder = JSONEncoder()
    if marksProperties { encoder.keyEncodingStrategy = MarkedName.strategy }
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return encoder
  }
}

extension JSONDecoder {
  /// A decoder of what ``JSONEncoder/ofHistory()`` writes.
  static func ofHistory() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return decoder
  }
}
