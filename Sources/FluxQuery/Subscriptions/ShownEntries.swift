import FluxCore

/// The entry of an observer's query, and the last entry of an earlier query that had a result.
///
/// The earlier entry is dropped when the current query has a result, or when the current entry is
/// removed.
@usableFromInline
struct ShownEntries: Sendable {
  @usableFromInline private(set) var entry: QueryEntry?
  @usableFromInline private(set) var previous: QueryEntry?
  /// The entry of the current query that was shown last, or `nil`.
  private var incarnation: UInt64?

  init() {}

  /// Records that the observer has another query.
  ///
  /// The entry remains until the entry of the new query is shown.
  mutating func queryChanged() {
    incarnation = nil
    if entry?.hasValue == true { previous = entry }
  }

  /// Replaces the entry with a newer entry of the current query, or with `nil` if there is none.
  mutating func show(_ new: QueryEntry?) {
    let number = new?.contents.value.incarnation
    let wasRemoved = incarnation != nil && incarnation != number
    if wasRemoved || new?.hasValue == true { previous = nil }
    incarnation = number
    entry = new
  }
}

extension QueryEntry {
  /// Creates the entry that an observer shows if the store has no cache, or was released.
  init(withoutCache key: QueryKey, _ context: ActionContext) {
    self.init(id: key)
    contents.value.error = QueryFailure(context.hasStoreGone ? .aborted : .noCache)
  }
}
