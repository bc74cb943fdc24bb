import FluxCore

/// How far the list of a view model has got, for those who ask its repository.
///
/// The list itself is a ``ListState``; a ``ListModel`` has this follow it, before it tells anybody else. Safe
/// from any thread.
public final class PaginationStanding: Sendable {
  private let next = Locked<(position: PagePosition, hasReachedEnd: Bool)>((.first, false))

  /// Creates one that stands at the beginning.
  public init() {}

  /// Where the next page begins; at the end, where the last one ended.
  var position: PagePosition { next.withLock { $0.position } }

  /// Whether the last page is loaded.
  var hasReachedEnd: Bool { next.withLock { $0.hasReachedEnd } }

  /// Follows a list.
  func follow(next position: PagePosition, hasReachedEnd: Bool) {
    next.withLock { $0 = (position, hasReachedEnd) }
  }
}

/// A page that is being fetched: it travels with the task, so that loads at the same time do not see each
/// other's.
final class PageInFlight: Sendable {
  struct Notes: Sendable {
    var total: Int?
    var nextCursor: String?
  }

  @TaskLocal static var current: PageInFlight?

  let position: PagePosition
  /// What the repository says of the page beside its items.
  private let notes = Locked(Notes())

  init(at position: PagePosition) {
    self.position = position
  }

  func note(_ change: (inout Notes) -> Void) {
    notes.withLock { change(&$0) }
  }

  func with<Item>(_ items: [Item]) -> ListPage<Item> {
    let notes = notes.withLock { $0 }
    return ListPage(items, total: notes.total, nextCursor: notes.nextCursor)
  }
}
