import FluxAsync
import FluxCollections

/// Names a version of a list with all that is known of it: two that are equal show the same.
///
/// It compares in O(1), however long the list is.
public struct ListVersion: Equatable, Sendable {
  let items: VersionStamp
  let load: RequestID?
  let loadingState: LoadingState
  let endState: EndState
  let error: ListFailure?
  let position: PagePosition
  let loadedAt: Duration?
  let isInvalidated: Bool
  let unconfirmed: Int

  var isLoading: Bool { load != nil }

  init<Item>(of list: ListState<Item>) {
    items = list.items.stamp
    load = list.load?.id
    loadingState = list.loadingState
    endState = list.endState
    error = list.error
    loadedAt = list.loadedAt
    position = list.nextPage ?? list.lastPage?.following ?? .first
    isInvalidated = list.isInvalidated
    unconfirmed = list.edits.count
  }
}
