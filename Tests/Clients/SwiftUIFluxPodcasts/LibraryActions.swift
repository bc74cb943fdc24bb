import Flux
import Foundation

struct LibraryActions {
  struct Subscribe: AsyncAction {
    let podcast: Int

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      guard let state = state as? AppState, !state.library.subscriptions.contains(podcast) else { return }
      dispatch(AddSubscription(podcast: podcast))
      dispatch(CatalogActions.FetchEpisodes(podcast: podcast))
    }
  }

  struct SaveLibrary: AsyncAction {
    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      guard let state = state as? AppState else { return }
      DiskCache.shared.save(state.library, as: "library")
      dispatch(LibrarySaved())
    }
  }

  struct RestoreLibrary: AsyncAction {
    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      guard let library: LibraryState = DiskCache.shared.load("library") else { return }
      dispatch(SetLibrary(library: library))
      library.subscriptions.sorted().forEach { dispatch(CatalogActions.FetchPodcast(id: $0)) }
    }
  }

  struct LibrarySaved: Action {}
  struct SetLibrary: Action { let library: LibraryState }
  struct AddSubscription: Action { let podcast: Int }
  struct RemoveSubscription: Action { let podcast: Int }
  struct CreatePlaylist: Action {
    let id: Int
    let name: String
  }
  struct RenamePlaylist: Action {
    let id: Int
    let name: String
  }
  struct DeletePlaylist: Action { let id: Int }
  struct AddToPlaylist: Action {
    let playlist: Int
    let episode: Int
  }
  struct RemoveFromPlaylist: Action {
    let playlist: Int
    let episode: Int
  }
  struct MarkPlayed: Action { let episode: Int }
  struct MarkUnplayed: Action { let episode: Int }
  struct RateEpisode: Action {
    let episode: Int
    let stars: Int
  }
}
