public import FluxCore
public import Foundation

extension History where State: Codable {
  /// Writes the record as JSON: the base, all entries, done and undone, the position and the state there.
  ///
  /// For a crash report, or to go on elsewhere. The JSON is the same for the same record, line by line, as
  /// far as the coding of states and actions is. Actions that are not registered are written with their
  /// type's name and their description, and with the state behind them if it is kept: they are shown after an
  /// import, and not reduced. Whether the history is paused or locked is not written.
  ///
  /// The record and the state are read at one moment. Encoding is done outside any lock, on this thread: O(n)
  /// for n entries.
  ///
  /// - Parameters:
  ///   - store: The store of this history.
  ///   - part: The state of this history, in that of the store: a key path, or a closure that runs under
  ///     the store's lock.
  ///   - registry: The actions that can be written.
  /// - Throws: ``HistoryError/Code/unencodable``.
  public func export<Whole>(
    from store: Store<Whole>, at part: (Whole) -> State, with registry: ActionRegistry
  ) throws(HistoryError) -> Data {
    // No action is being reduced meanwhile, so the state is that of the record's position.
    let contents = store.withState { whole in
      let state = part(whole)
      return timeline.withLock { $0.contents(with: state) }
    }
    do {
      return try JSONEncoder.ofHistory().encode(HistoryDocument(contents: contents, registry: registry))
    } catch let error as HistoryError {
      throw error
    } catch {
      throw HistoryError(.unencodable, "The history cannot be encoded: \(error.codingReason).")
    }
  }
}

extension History where State: Codable & FluxState {
  /// Writes the record as JSON: ``export(from:at:with:)`` of the store's whole state.
  ///
  /// - Parameters:
  ///   - store: The store of this history.
  ///   - registry: The actions that can be written.
  /// - Throws: ``HistoryError/Code/unencodable``.
  public func export(
    from store: Store<State>, with registry: ActionRegistry
  ) throws(HistoryError) -> Data {
    try export(from: store, at: \.self, with: registry)
  }
}

extension JSONEncoder {
  /// An encoder that writes numbers beyond JSON as text, so that one of them does not make a report
  /// impossible.
  static func ofHistory() -> JSONEncoder {
    let encoder = JSONEncoder()
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
