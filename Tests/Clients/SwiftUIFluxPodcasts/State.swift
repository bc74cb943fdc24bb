import Flux
import Foundation

struct AppState: FluxState {
  var catalog = CatalogState()
  var library = LibraryState()
  var player = PlayerState()
  var downloads = DownloadsState()
  var settings = SettingsState()
}

struct CatalogState: FluxState, Codable {
  var podcasts: [Int: Podcast] = [:]
  var episodes: [Int: Episode] = [:]
  var genres: [Genre] = []
  var top: [Int] = []
  var episodesOf: [Int: [Int]] = [:]
  var reviews: [Int: [Review]] = [:]
  var recommended: [Int: [Int]] = [:]
  var search: [String: [Int]] = [:]
  var loading: Set<Int> = []
  var failures: [String] = []
}

struct LibraryState: FluxState, Codable {
  var subscriptions: Set<Int> = []
  var playlists: [Int: Playlist] = [:]
  var played: Set<Int> = []
  var ratings: [Int: Int] = [:]
}

struct PlayerState: FluxState {
  var episode: Int?
  var isPlaying = false
  var position: TimeInterval = 0
  var speed = 1.0
  var queue: [Int] = []
  var sleepTimer: TimeInterval?
}

struct DownloadsState: FluxState {
  var progress: [Int: Double] = [:]
  var finished: Set<Int> = []
  var failed: Set<Int> = []
}

struct SettingsState: FluxState, Codable {
  var region = "US"
  var theme = "system"
  var notifications = true
  var account: Account?
}
