import Flux
import Foundation

struct PlayerActions {
  struct Play: AsyncAction {
    let episode: Int

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      guard let state = state as? AppState, state.catalog.episodes[episode] != nil else {
        return dispatch(PlaybackFailed(episode: episode))
      }
      dispatch(SetNowPlaying(episode: episode))
      if !state.downloads.finished.contains(episode) {
        dispatch(DownloadActions.StartDownload(episode: episode))
      }
    }
  }

  struct PlayNext: AsyncAction {
    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      guard let state = state as? AppState else { return }
      if let last = state.player.episode { dispatch(LibraryActions.MarkPlayed(episode: last)) }
      guard let next = state.player.queue.first else { return dispatch(Stop()) }
      dispatch(Dequeue())
      dispatch(Play(episode: next))
    }
  }

  struct SetNowPlaying: Action { let episode: Int }
  struct PlaybackFailed: Action { let episode: Int }
  struct Pause: Action {}
  struct Resume: Action {}
  struct Stop: Action {}
  struct Seek: Action { let position: TimeInterval }
  struct SetSpeed: Action { let speed: Double }
  struct Enqueue: Action { let episode: Int }
  struct Dequeue: Action {}
  struct ClearQueue: Action {}
  struct SetSleepTimer: Action { let seconds: TimeInterval? }
}

struct DownloadActions {
  struct StartDownload: AsyncAction {
    let episode: Int

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      APIService.shared.GET(endpoint: .audio(episode: episode)) { (result: Result<Int, APIError>) in
        guard case .success = result else { return dispatch(DownloadFailed(episode: self.episode)) }
        dispatch(DownloadProgressed(episode: self.episode, progress: 1))
        dispatch(DownloadFinished(episode: self.episode))
      }
    }
  }

  struct DownloadProgressed: Action {
    let episode: Int
    let progress: Double
  }
  struct DownloadFinished: Action { let episode: Int }
  struct DownloadFailed: Action { let episode: Int }
  struct RemoveDownload: Action { let episode: Int }
}

struct SettingsActions {
  struct SignIn: AsyncAction {
    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      APIService.shared.GET(endpoint: .signIn) { (result: Result<Account, APIError>) in
        switch result {
        case let .success(account):
          dispatch(SetAccount(account: account))
          dispatch(LibraryActions.RestoreLibrary())
        case .failure: dispatch(SignInFailed())
        }
      }
    }
  }

  struct SetAccount: Action { let account: Account }
  struct SignInFailed: Action {}
  struct SignOut: Action {}
  struct SetRegion: Action { let region: String }
  struct SetTheme: Action { let theme: String }
  struct SetNotifications: Action { let isOn: Bool }
  struct ResetSettings: Action {}
}
