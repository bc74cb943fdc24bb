import FluxAsync

/// The edits of one entry that the server has not confirmed, and the result without these edits.
///
/// The entry shows the confirmed result with all edits applied, in the order in which the edits
/// began. An edit that fails is therefore removed without its neighbors, also if a request has
/// replaced the confirmed result in the meantime.
struct QueryOverlay: Sendable {
  /// The origin of an edit.
  enum Source: Hashable, Sendable {
    /// A mutation that is running.
    case mutation(RequestID)
    /// Code that has edited the entry, and can undo the edit until a result arrives.
    case manual(EditID)
  }

  private struct Edit: Sendable {
    let source: Source
    let edit: QueryEdit
  }

  /// An edit that was confirmed while a request was running.
  ///
  /// The server may have produced the answer of the request before it processed the edit, so the
  /// edit is applied to that answer.
  private struct Confirmed: Sendable {
    let edit: QueryEdit
    let request: RequestID
  }

  /// The last result of the server with all confirmed edits, or `nil` if there is no result.
  private(set) var confirmed: (any Sendable)?
  private var edits: [Edit] = []
  private var recent: [Confirmed] = []

  init(confirmed: (any Sendable)?) {
    self.confirmed = confirmed
  }

  /// A Boolean value that indicates whether the overlay has no effect anymore.
  var isEmpty: Bool { edits.isEmpty && recent.isEmpty }

  /// The number of edits that the server has not confirmed.
  var pendingEdits: Int { edits.count }

  /// The confirmed result with all edits applied.
  var shown: (any Sendable)? {
    var value = confirmed
    for edit in edits { edit.edit.apply(&value) }
    return value
  }

  /// The edits that remain after the entry was removed, or `nil` if none remain.
  var withoutValue: QueryOverlay? {
    var rest = QueryOverlay(confirmed: nil)
    rest.edits = edits.filter { if case .mutation = $0.source { true } else { false } }
    return rest.isEmpty ? nil : rest
  }

  /// Returns the edits of a source, in the order in which they began.
  func edits(of source: Source) -> [QueryEdit] { edits.filter { $0.source == source }.map(\.edit) }

  // MARK: Events

  /// Adds an edit.
  mutating func began(_ edit: QueryEdit, by source: Source) {
    edits.append(Edit(source: source, edit: edit))
  }

  /// Makes the edits of a source part of the confirmed result.
  ///
  /// - Parameters:
  ///   - source: The source of the edits.
  ///   - request: The request of the entry that is running, or `nil`.
  /// - Returns: The tags of the last result that the edits write, or `nil` if they write none.
  @discardableResult
  mutating func confirm(_ source: Source, during request: RequestID?) -> Set<QueryTag>? {
    var tags: Set<QueryTag>?
    for edit in edits where edit.source == source {
      tags = confirm(edit.edit, during: request) ?? tags
    }
    remove(source)
    return tags
  }

  /// Makes a change that was not shown before part of the confirmed result.
  ///
  /// - Returns: The tags of the result that the change writes, or `nil` if it writes none.
  @discardableResult
  mutating func confirm(_ edit: QueryEdit, during request: RequestID?) -> Set<QueryTag>? {
    edit.apply(&confirmed)
    if let request { recent.append(Confirmed(edit: edit, request: request)) }
    return edit.tags
  }

  /// Removes the edits of a source, and nothing else.
  mutating func remove(_ source: Source) {
    edits.removeAll { $0.source == source }
  }

  /// Replaces the confirmed result with the answer of a request.
  mutating func answered(_ value: any Sendable, by request: RequestID) {
    confirmed = value
    for edit in recent where edit.request == request { edit.edit.apply(&confirmed) }
    wasReplaced()
  }

  /// Replaces the confirmed result with a result that did not come from a request.
  mutating func wrote(_ value: any Sendable) {
    confirmed = value
    wasReplaced()
  }

  /// Replaces the confirmed result with a version that the result of another query contains.
  ///
  /// A request of the entry itself can be older than edits that were confirmed before the other
  /// request, so these edits remain.
  mutating func arrivedInAnotherResult(_ value: any Sendable) {
    confirmed = value
    edits.removeAll { if case .manual = $0.source { true } else { false } }
  }

  /// Records that a request has ended without an answer.
  mutating func requestEnded(_ request: RequestID) {
    recent.removeAll { $0.request == request }
  }

  /// Drops the edits that a newer result replaces.
  private mutating func wasReplaced() {
    recent = []
    edits.removeAll { if case .manual = $0.source { true } else { false } }
  }
}

/// The identity of a manual edit, which can be undone.
struct EditID: Hashable, Sendable {
  let number: UInt64
}
