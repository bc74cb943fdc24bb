import FluxCore

/// The progress of a model's list, in a form that the repository of the list can read.
///
/// A ``ListModel`` updates this object with the progress of its ``ListState`` before the model
/// notifies its observers. The class is safe to use from any thread.
public final class PaginationStanding: Sendable {
  private let next = Locked<(position: PagePosition, hasReachedEnd: Bool)>((.first, false))

  /// Creates an object that represents the beginning of a list.
  public init() {}

  /// The position of the next page, or the position after the last page if there are no more
  /// pages.
  var position: PagePosition { next.withLock { $0.position } }

  /// A Boolean value that indicates whether the last page is loaded.
  var hasReachedEnd: Bool { next.withLock { $0.hasReachedEnd } }

  /// Updates this object with the progress of a list.
  func follow(next position: PagePosition, hasReachedEnd: Bool) {
    next.withLock { $0 = (position, hasReachedEnd) }
  }
}

/// The page that the current task is fetching.
///
/// The page is a task-local value, so that concurrent loads use separate pages.
final class PageInFlight: Sendable {
  struct Notes: Sendable {
    var total: Int?
    var nextCursor: String?
  }

  @TaskLocal static var current: PageInFlight?

  let position: PagePosition
  /// The total and the cursor that the repository reports in addition to the items.
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
