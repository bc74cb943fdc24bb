import Flux

func appReducer(state: AppState, action: Action) -> AppState {
  var state = state
  state.catalog = catalogReducer(state: state.catalog, action: action)
  state.library = libraryReducer(state: state.library, action: action)
  state.player = playerReducer(state: state.player, action: action)
  state.downloads = downloadsReducer(state: state.downloads, action: action)
  state.settings = settingsReducer(state: state.settings, action: action)
  return state
}

func catalogReducer(state: CatalogState, action: Action) -> CatalogState {
  var state = state

  func merge(_ podcasts: [Podcast]) -> [Int] {
    podcasts.forEach { state.podcasts[$0.id] = $0 }
    return podcasts.map { $0.id }
  }

  switch action {
  case let action as CatalogActions.FetchPodcast:
    state.loading.insert(action.id)
  case let action as CatalogActions.SetPodcast:
    state.loading.remove(action.podcast.id)
    state.podcasts[action.podcast.id] = action.podcast
  case let action as CatalogActions.PodcastFailed:
    state.loading.remove(action.id)
    state.failures.append("podcast \(action.id)")
  case let action as CatalogActions.SetTop:
    state.top = merge(action.response.results)
  case let action as CatalogActions.SetGenres:
    state.genres = action.genres
  case let action as CatalogActions.SetEpisodes:
    action.response.results.forEach { state.episodes[$0.id] = $0 }
    state.episodesOf[action.podcast] = action.response.results.map { $0.id }
  case let action as CatalogActions.SetReviews:
    state.reviews[action.podcast] = action.reviews
  case let action as CatalogActions.ReviewPosted:
    state.reviews[action.podcast, default: []].append(action.review)
  case let action as CatalogActions.SetRecommended:
    state.recommended[action.podcast] = merge(action.response.results)
  case let action as CatalogActions.SetSearch:
    state.search[action.query] = merge(action.response.results)
  case _ as CatalogActions.ClearSearch:
    state.search = [:]
  case let action as CatalogActions.RequestFailed:
    state.failures.append(action.name)
  default:
    break
  }
  return state
}

func libraryReducer(state: LibraryState, action: Action) -> LibraryState {
  var state = state
  switch action {
  case let action as LibraryActions.SetLibrary:
    state = action.library
  case let action as LibraryActions.AddSubscription:
    state.subscriptions.insert(action.podcast)
  case let action as LibraryActions.RemoveSubscription:
    state.subscriptions.remove(action.podcast)
  case let action as LibraryActions.CreatePlaylist:
    state.playlists[action.id] = Playlist(id: action.id, name: action.name)
  case let action as LibraryActions.RenamePlaylist:
    state.playlists[action.id]?.name = action.name
  case let action as LibraryActions.DeletePlaylist:
    state.playlists[action.id] = nil
  case let action as LibraryActions.AddToPlaylist:
    state.playlists[action.playlist]?.episodes.append(action.episode)
  case let action as LibraryActions.RemoveFromPlaylist:
    state.playlists[action.playlist]?.episodes.removeAll { $0 == action.episode }
  case let action as LibraryActions.MarkPlayed:
    state.played.insert(action.episode)
  case let action as LibraryActions.MarkUnplayed:
    state.played.remove(action.episode)
  case let action as LibraryActions.RateEpisode:
    state.ratings[action.episode] = action.stars
  case _ as SettingsActions.SignOut:
    state = LibraryState()
  default:
    break
  }
  return state
}

func playerReducer(state: PlayerState, action: Action) -> PlayerState {
  var state = state
  switch action {
  case let action as PlayerActions.SetNowPlaying:
    state.episode = action.episode
    state.isPlaying = true
    state.position = 0
  case _ as PlayerActions.PlaybackFailed, _ as PlayerActions.Pause:
    state.isPlaying = false
  case _ as PlayerActions.Resume:
    state.isPlaying = state.episode != nil
  case _ as PlayerActions.Stop:
    state.episode = nil
    state.isPlaying = false
  case let action as PlayerActions.Seek:
    state.position = action.position
  case let action as PlayerActions.SetSpeed:
    state.speed = action.speed
  case let action as PlayerActions.Enqueue:
    state.queue.append(action.episode)
  case _ as PlayerActions.Dequeue:
    state.queue.removeFirst()
  case _ as PlayerActions.ClearQueue:
    state.queue = []
  case let action as PlayerActions.SetSleepTimer:
    state.sleepTimer = action.seconds
  default:
    break
  }
  return state
}

func downloadsReducer(state: DownloadsState, action: Action) -> DownloadsState {
  var state = state
  switch action {
  case let action as DownloadActions.StartDownload:
    state.progress[action.episode] = 0
  case let action as DownloadActions.DownloadProgressed:
    state.progress[action.episode] = action.progress
  case let action as DownloadActions.DownloadFinished:
    state.progress[action.episode] = nil
    state.finished.insert(action.episode)
  case let action as DownloadActions.DownloadFailed:
    state.progress[action.episode] = nil
    state.failed.insert(action.episode)
  case let action as DownloadActions.RemoveDownload:
    state.finished.remove(action.episode)
  default:
    break
  }
  return state
}

func settingsReducer(state: SettingsState, action: Action) -> SettingsState {
  var state = state
  switch action {
  case let action as SettingsActions.SetAccount:
    state.account = action.account
  case _ as SettingsActions.SignInFailed, _ as SettingsActions.SignOut:
    state.account = nil
  case let action as SettingsActions.SetRegion:
    state.region = action.region
  case let action as SettingsActions.SetTheme:
    state.theme = action.theme
  case let action as SettingsActions.SetNotifications:
    state.notifications = action.isOn
  case _ as SettingsActions.ResetSettings:
    state = SettingsState()
  default:
    break
  }
  return state
}
