import Foundation

enum Endpoint: Hashable {
  case top(genre: Int)
  case genres
  case podcast(Int)
  case episodes(podcast: Int)
  case reviews(podcast: Int)
  case recommended(podcast: Int)
  case search
  case postReview(podcast: Int)
  case audio(episode: Int)
  case signIn
}

enum APIError: Error {
  case noResponse
  case decoding
}

class APIService {
  static let shared = APIService()

  /// Sends a request, and calls back on any thread.
  var transport: (_ endpoint: Endpoint, _ completion: @escaping (Data?) -> Void) -> Void = { _, completion in
    completion(nil)
  }

  func GET<T: Codable>(endpoint: Endpoint, completion: @escaping (Result<T, APIError>) -> Void) {
    transport(endpoint) { data in
      guard let data = data else { return completion(.failure(.noResponse)) }
      do {
        completion(.success(try JSONDecoder().decode(T.self, from: data)))
      } catch {
        completion(.failure(.decoding))
      }
    }
  }
}

class DiskCache {
  static let shared = DiskCache()

  var folder = FileManager.default.temporaryDirectory.appendingPathComponent("podcasts")

  func save<T: Codable>(_ value: T, as name: String) {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? JSONEncoder().encode(value).write(to: folder.appendingPathComponent(name))
  }

  func load<T: Codable>(_ name: String) -> T? {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return nil }
    return try? JSONDecoder().decode(T.self, from: data)
  }
}
