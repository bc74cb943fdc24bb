import Foundation

struct Podcast: Codable, Identifiable {
  let id: Int
  let title: String
  let author: String
}

struct Episode: Codable, Identifiable {
  let id: Int
  let podcast: Int
  let title: String
  let duration: TimeInterval
}

struct Review: Codable, Identifiable {
  let id: Int
  let author: String
  let text: String
}

struct Genre: Codable, Identifiable {
  let id: Int
  let name: String
}

struct Account: Codable {
  let name: String
}

struct Playlist: Codable, Identifiable {
  let id: Int
  var name: String
  var episodes: [Int] = []
}

struct PaginatedResponse<T: Codable>: Codable {
  let page: Int
  let total_pages: Int
  let results: [T]
}
