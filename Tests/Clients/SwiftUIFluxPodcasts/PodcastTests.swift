import Flux
import Foundation
import Testing

@Suite("An app of the size of SwiftUIFlux's own", .serialized)
class PodcastTests {
  let server = Server()
  let store = makeStore()
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("podcasts-\(UUID())")
  var log: [String] = []

  init() {
    let server = self.server
    APIService.shared.transport = { server.request($0, completion: $1) }
    DiskCache.shared.folder = folder
    Console.shared.print = { [weak self] in self?.log.append($0) }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Expects a step to dispatch these actions, each of which is reduced before the next one is dispatched.
  func expect(
    _ actions: String..., sourceLocation: SourceLocation = #_sourceLocation, when step: () -> Void
  ) {
    log = []
    step()
    #expect(log == actions.flatMap { [$0, "> \($0)"] }, sourceLocation: sourceLocation)
  }

  func dispatch(_ action: Action) -> () -> Void {
    return { self.store.dispatch(action: action) }
  }

  func page<T: Codable>(_ results: [T]) -> PaginatedResponse<T> {
    return PaginatedResponse(page: 1, total_pages: 1, results: results)
  }

  @Test("an action is reduced before the action that it dispatches on a cache hit")
  func cacheHit() {
    let podcast = Podcast(id: 1, title: "Soil", author: "Ada")
    expect("FetchPodcast", when: dispatch(CatalogActions.FetchPodcast(id: 1)))
    #expect(store.state.catalog.loading == [1])
    expect("SetPodcast") { server.answer(.podcast(1), podcast) }
    #expect(store.state.catalog.loading == [])

    expect("FetchPodcast", "SetPodcast", when: dispatch(CatalogActions.FetchPodcast(id: 1)))
    #expect(store.state.catalog.loading == [])
    #expect(server.pending == [])
  }

  @Test("the answers to requests are dispatched in the order in which they arrive")
  func catalog() {
    let soil = Podcast(id: 1, title: "Soil", author: "Ada")
    let seeds = Podcast(id: 2, title: "Seeds", author: "Bo")
    let genres = [Genre(id: 7, name: "Gardening")]
    expect("FetchGenres", "FetchTop") {
      store.dispatch(action: CatalogActions.FetchGenres())
      store.dispatch(action: CatalogActions.FetchTop(genre: 7))
    }
    #expect(server.pending == [.genres, .top(genre: 7)])
    expect("SetTop") { server.answer(.top(genre: 7), page([soil, seeds])) }
    expect("SetGenres") { server.answer(.genres, genres) }
    expect("FetchGenres", "SetGenres", when: dispatch(CatalogActions.FetchGenres()))

    expect("FetchRecommended", when: dispatch(CatalogActions.FetchRecommended(podcast: 1)))
    expect("SetRecommended") { server.answer(.recommended(podcast: 1), page([seeds])) }
    expect("FetchRecommended", when: dispatch(CatalogActions.FetchRecommended(podcast: 1)))
    #expect(server.pending == [])

    expect("FetchSearch", when: dispatch(CatalogActions.FetchSearch(query: "so")))
    expect("SetSearch") { server.answer(.search, page([soil])) }
    #expect(store.state.catalog.search == ["so": [1]])
    expect("FetchSearch", "ClearSearch", when: dispatch(CatalogActions.FetchSearch(query: "")))
    #expect(store.state.catalog.search == [:])

    expect("FetchReviews", when: dispatch(CatalogActions.FetchReviews(podcast: 1)))
    expect("RequestFailed") { server.fail(.reviews(podcast: 1)) }
    expect("PostReview", when: dispatch(CatalogActions.PostReview(podcast: 1, text: "Good")))
    let review = Review(id: 3, author: "Cy", text: "Good")
    expect("ReviewPosted", "FetchReviews") { server.answer(.postReview(podcast: 1), review) }
    expect("SetReviews") { server.answer(.reviews(podcast: 1), [review]) }
    expect("FetchPodcast", when: dispatch(CatalogActions.FetchPodcast(id: 9)))
    expect("PodcastFailed") { server.answer(.podcast(9), "not a podcast") }
    expect("FetchTop", when: dispatch(CatalogActions.FetchTop(genre: 8)))
    expect("RequestFailed") { server.fail(.top(genre: 8)) }

    let catalog = store.state.catalog
    #expect(catalog.top == [1, 2])
    #expect(catalog.genres.map { $0.name } == ["Gardening"])
    #expect(catalog.recommended == [1: [2]])
    #expect(catalog.reviews[1]?.map { $0.id } == [3])
    #expect(catalog.failures == ["reviews", "podcast 9", "top"])
    #expect(catalog.loading == [])
  }

  @Test("an action that dispatches several others is reduced before all of them")
  func listens() {
    let episodes = [
      Episode(id: 11, podcast: 1, title: "Clay", duration: 60),
      Episode(id: 12, podcast: 1, title: "Sand", duration: 90),
    ]
    expect(
      "Subscribe", "AddSubscription", "FetchEpisodes", when: dispatch(LibraryActions.Subscribe(podcast: 1)))
    expect("SetEpisodes") { server.answer(.episodes(podcast: 1), page(episodes)) }
    expect("Subscribe", when: dispatch(LibraryActions.Subscribe(podcast: 1)))

    expect("Enqueue", "Enqueue", "SetSpeed", "SetSleepTimer") {
      store.dispatch(action: PlayerActions.Enqueue(episode: 11))
      store.dispatch(action: PlayerActions.Enqueue(episode: 12))
      store.dispatch(action: PlayerActions.SetSpeed(speed: 1.5))
      store.dispatch(action: PlayerActions.SetSleepTimer(seconds: 600))
    }
    expect(
      "PlayNext", "Dequeue", "Play", "SetNowPlaying", "StartDownload",
      when: dispatch(PlayerActions.PlayNext()))
    #expect(store.state.downloads.progress == [11: 0])
    expect("DownloadProgressed", "DownloadFinished") { server.answer(.audio(episode: 11), 1024) }
    expect("Pause", "Seek", "Resume") {
      store.dispatch(action: PlayerActions.Pause())
      store.dispatch(action: PlayerActions.Seek(position: 30))
      store.dispatch(action: PlayerActions.Resume())
    }
    expect("Play", "SetNowPlaying", when: dispatch(PlayerActions.Play(episode: 11)))
    expect(
      "PlayNext", "MarkPlayed", "Dequeue", "Play", "SetNowPlaying", "StartDownload",
      when: dispatch(PlayerActions.PlayNext()))
    expect("DownloadFailed") { server.fail(.audio(episode: 12)) }
    expect("PlayNext", "MarkPlayed", "Stop", when: dispatch(PlayerActions.PlayNext()))
    expect("Play", "PlaybackFailed", when: dispatch(PlayerActions.Play(episode: 99)))
    expect("RemoveDownload", "ClearQueue") {
      store.dispatch(action: DownloadActions.RemoveDownload(episode: 11))
      store.dispatch(action: PlayerActions.ClearQueue())
    }

    let state = store.state
    #expect(state.library.subscriptions == [1])
    #expect(state.library.played == [11, 12])
    #expect(state.player.episode == nil)
    #expect(!state.player.isPlaying)
    #expect(state.player.queue == [])
    #expect(state.downloads.progress == [:])
    #expect(state.downloads.finished == [])
    #expect(state.downloads.failed == [12])
  }

  @Test("a library that was saved to the disk is restored after signing in")
  func library() {
    DiskCache.shared.save(Podcast(id: 1, title: "Soil", author: "Ada"), as: "podcast-1")
    expect(
      "CreatePlaylist", "AddToPlaylist", "AddToPlaylist", "RemoveFromPlaylist", "RenamePlaylist",
      "MarkPlayed",
      "MarkUnplayed", "RateEpisode", "AddSubscription", "AddSubscription", "AddSubscription",
      "RemoveSubscription"
    ) {
      store.dispatch(action: LibraryActions.CreatePlaylist(id: 5, name: "Later"))
      store.dispatch(action: LibraryActions.AddToPlaylist(playlist: 5, episode: 11))
      store.dispatch(action: LibraryActions.AddToPlaylist(playlist: 5, episode: 12))
      store.dispatch(action: LibraryActions.RemoveFromPlaylist(playlist: 5, episode: 11))
      store.dispatch(action: LibraryActions.RenamePlaylist(id: 5, name: "Soon"))
      store.dispatch(action: LibraryActions.MarkPlayed(episode: 11))
      store.dispatch(action: LibraryActions.MarkUnplayed(episode: 11))
      store.dispatch(action: LibraryActions.RateEpisode(episode: 12, stars: 5))
      for podcast in 1...3 { store.dispatch(action: LibraryActions.AddSubscription(podcast: podcast)) }
      store.dispatch(action: LibraryActions.RemoveSubscription(podcast: 3))
    }
    expect("SaveLibrary", "LibrarySaved", when: dispatch(LibraryActions.SaveLibrary()))
    expect("DeletePlaylist", "SignOut") {
      store.dispatch(action: LibraryActions.DeletePlaylist(id: 5))
      store.dispatch(action: SettingsActions.SignOut())
    }
    #expect(store.state.library.subscriptions == [])

    expect("SignIn", when: dispatch(SettingsActions.SignIn()))
    expect("SignInFailed") { server.fail(.signIn) }
    expect("SignIn", when: dispatch(SettingsActions.SignIn()))
    expect("SetAccount", "RestoreLibrary", "SetLibrary", "FetchPodcast", "SetPodcast", "FetchPodcast") {
      server.answer(.signIn, Account(name: "Dee"))
    }
    #expect(server.pending == [.podcast(2)])
    #expect(store.state.catalog.loading == [2])
    expect("SetPodcast") { server.answer(.podcast(2), Podcast(id: 2, title: "Seeds", author: "Bo")) }
    expect("SetRegion", "SetTheme", "SetNotifications", "ResetSettings") {
      store.dispatch(action: SettingsActions.SetRegion(region: "NZ"))
      store.dispatch(action: SettingsActions.SetTheme(theme: "dark"))
      store.dispatch(action: SettingsActions.SetNotifications(isOn: false))
      store.dispatch(action: SettingsActions.ResetSettings())
    }

    let state = store.state
    #expect(state.library.subscriptions == [1, 2])
    #expect(state.library.playlists[5]?.name == "Soon")
    #expect(state.library.playlists[5]?.episodes == [12])
    #expect(state.library.played == [])
    #expect(state.library.ratings == [12: 5])
    #expect(state.catalog.podcasts.keys.sorted() == [1, 2])
    #expect(state.catalog.loading == [])
    #expect(state.settings.region == "US")
    #expect(state.settings.account == nil)
  }
}
