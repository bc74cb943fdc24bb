import FluxAsync
import FluxCollections

/// A value that identifies the content and the loading state of a list.
///
/// Two lists with equal versions show the same content. A comparison of two versions is O(1) for
/// lists of any length.
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
