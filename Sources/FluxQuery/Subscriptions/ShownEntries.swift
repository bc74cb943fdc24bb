import FluxCore

/// The entry of an observer's query, and the last entry of an earlier query that had a result.
///
/// The earlier entry is dropped when the current query has a result, or when the current entry is
/// removed.
@usableFromInline
package struct ShownEntries: Sendable {
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

  /// Shows an entry of the current query before the observer has received one.
  ///
  /// The first entry that the observer receives does not count as another incarnation.
  mutating func expect(_ new: QueryEntry?) {
    if new?.hasValue == true { previous = nil }
    entry = new
  }

  /// Replaces the entry with a newer entry of the current query, or with `nil` if there is none.
  mutating func show(_ new: QueryEntry?) {
    let number = new?.contents.value.incarnation
    let wasRemoved = incarnation != nil && incarnation != number
    if wasRemoved || new?.hasValue == true { previous = nil }
    incarnation = number
    entry = new
  }

  /// Returns a Boolean value that indicates whether a view that shows the entries looks the same
  /// with other entries.
  func looksLike(_ other: ShownEntries) -> Bool {
    previous?.contents.value.revision == other.previous?.contents.value.revision
      && (entry?.contents.value).looksLike(other.entry?.contents.value)
  }
}

extension QueryEntry.Contents? {
  /// Compares the properties that a ``QueryState`` shows, except the time of the result.
  ///
  /// The running request is compared by whether it exists, and not by its number.
  fileprivate func looksLike(_ other: QueryEntry.Contents?) -> Bool {
    self?.revision ?? 0 == other?.revision ?? 0
      && runsRequest == other.runsRequest && (!showsPage || self?.page == other?.page)
      && self?.error == other?.error && self?.failedAttempts == other?.failedAttempts
      && self?.isInvalidated ?? false == other?.isInvalidated ?? false
  }

  private var runsRequest: Bool { self?.request != nil }

  /// A Boolean value that indicates whether the state shows the side of the last request.
  private var showsPage: Bool { runsRequest || self?.error != nil }
}

extension QueryEntry {
  /// Creates the entry that an observer shows if the store has no cache, or was released.
  init(withoutCache key: QueryKey, _ context: ActionContext) {
    self.init(id: key)
    contents.value.error = QueryFailure(context.hasStoreGone ? .aborted : .noCache)
  }
}
