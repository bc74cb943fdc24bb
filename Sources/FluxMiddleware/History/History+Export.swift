public import FluxCore
public import Foundation

extension History where State: Codable {
  /// Exports the record as JSON: the base, all entries (done and undone), the position, and the
  /// state at that position.
  ///
  /// Use the export in a crash report, or to continue the history in another program. If the
  /// encoding of states and actions is deterministic, the same record always produces the same
  /// JSON, line by line. An action that is not registered is exported with the name of its type,
  /// its description, and the state after the action if that state is kept. After an import, the
  /// history contains the unregistered action but does not reduce it. The export does not
  /// contain the branches, and does not indicate whether the history is paused or locked.
  ///
  /// Preserved unrecorded actions are exported individually, so that an undo after the import also
  /// preserves them. If an unrecorded action is not registered, and the state after the preceding
  /// entry is kept, the export contains that state instead of the unrecorded actions after the
  /// entry. After the import, undoing that entry discards the changes that the unrecorded actions
  /// made.
  ///
  /// The export does not contain the actions that attach and detach features. An import replays
  /// all actions with the features that are attached to the importing store. If a feature was
  /// attached or detached between two entries, the replay can therefore produce a different state.
  /// To prevent that, dispatch ``HistoryAction/commit`` after attaching or detaching a feature.
  ///
  /// The method reads the record together with the matching state, and then encodes both on the
  /// calling thread, outside of any lock. The encoding takes O(n) time for n entries. The
  /// method shares the entries with the history until it has copied them, as ``History``
  /// explains under *Reading*.
  ///
  /// - Parameters:
  ///   - store: The store of this history.
  ///   - part: A key path to the state of this history within the store's state, or a closure
  ///     that returns that state. The closure runs under the store's lock.
  ///   - registry: The actions that can be encoded.
  ///   - redaction: The rules for secrets, which use the names and paths in the JSON. The
  ///     export contains a placeholder of the same JSON type instead of a secret value, and an
  ///     empty dictionary instead of a secret dictionary. Keys and ids that reveal a secret are
  ///     also replaced. If the replacement makes two ids in a list equal, the list cannot be
  ///     imported.
  /// - Throws: ``HistoryError/Code/unencodable``.
  public func export<Whole>(
    from store: Store<Whole>, at part: (Whole) -> State, with registry: ActionRegistry,
    redacting redaction: Redaction = .none
  ) throws(HistoryError) -> Data {
    try encoded(contents(of: store, at: part), with: registry, redacting: redaction)
  }

  /// Exports the record as JSON, like ``export(from:at:with:redacting:)``, for a store that
  /// might have been released.
  ///
  /// - Parameters:
  ///   - store: The store of this history, as a proxy for the history's state.
  ///   - registry: The actions that can be encoded.
  ///   - redaction: The rules for secrets.
  /// - Returns: The JSON, or `nil` if the store has been released.
  /// - Throws: ``HistoryError/Code/unencodable``.
  public func export(
    from store: StoreProxy<State>, with registry: ActionRegistry, redacting redaction: Redaction = .none
  ) throws(HistoryError) -> Data? {
    guard let contents = contents(of: store) else { return nil }
    return try encoded(contents, with: registry, redacting: redaction)
  }

  // The shared record is released before the encoding starts, so that an action that arrives
  // during the encoding does not cause a copy of the record.

  private func contents<Whole>(
    of store: Store<Whole>, at part: (Whole) -> State
  ) -> HistoryContents<State> {
    // No action can be reduced while this closure runs, so the state is the state at the
    // record's position.
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
      // The reason might contain a secret value.
      let reason = redaction.isNone ? ": \(error.codingReason)" : ""
      throw HistoryError(.unencodable, "Cannot encode the history\(reason).")
    }
  }
}

extension History where State: Codable & FluxState {
  /// Exports the record as JSON, like ``export(from:at:with:redacting:)``, for the store's whole
  /// state.
  ///
  /// - Parameters:
  ///   - store: The store of this history.
  ///   - registry: The actions that can be encoded.
  ///   - redaction: The rules for secrets.
  /// - Throws: ``HistoryError/Code/unencodable``.
  public func export(
    from store: Store<State>, with registry: ActionRegistry, redacting redaction: Redaction = .none
  ) throws(HistoryError) -> Data {
    try export(from: store, at: \.self, with: registry, redacting: redaction)
  }
}

extension JSONEncoder {
  /// Returns an encoder that writes a number as a string if JSON cannot represent the number, so
  /// that an export with such a number does not fail.
  ///
  /// - Parameter marksProperties: A Boolean value that indicates whether the names of
  ///   properties have a marker for a redaction, as ``MarkedName`` describes.
  package static func ofHistory(marksProperties: Bool = false) -> JSONEncoder {
    let encoder = JSONEncoder()
    if marksProperties {
      encoder.keyEncodingStrategy = MarkedName.strategy
      encoder.userInfo[.marksProperties] = true
    }
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return encoder
  }
}

extension CodingUserInfoKey {
  /// The key of a value that an encoder contains if the names of properties have a marker.
  static let marksProperties = CodingUserInfoKey(rawValue: "Flux.marksProperties")!
}

extension JSONDecoder {
  /// Returns a decoder for the output of ``JSONEncoder/ofHistory()``.
  package static func ofHistory() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return decoder
  }
}
