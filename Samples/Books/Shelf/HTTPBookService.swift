package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Books and songs of a server: `GET <server>/books-1.json` and so on.
///
/// A changed book is sent by `PUT <server>/book-7.json`, and forgotten by `DELETE`. A server that has files
/// alone refuses both.
package struct HTTPBookService: BookService {
  private let server: URL
  private let answer: @Sendable (URLRequest) async throws -> (Data, URLResponse)

  /// Creates a service.
  ///
  /// - Parameter server: The address in front of the files' names.
  package init(server: URL) {
    let session = URLSession(configuration: .ephemeral)
    self.init(server: server) { request in try await session.data(for: request) }
  }

  /// Creates a service that asks by a closure.
  package init(
    server: URL, answer: @escaping @Sendable (URLRequest) async throws -> (Data, URLResponse)
  ) {
    self.server = server
    self.answer = answer
  }

  package func shelf() async throws -> [Book] { try await contents.shelf() }

  package func books(page: Int) async throws -> BookPage { try await contents.books(page: page) }

  package func songs(after name: String?) async throws -> SongPage { try await contents.songs(after: name) }

  package func save(_ book: Book) async throws {
    try await send("PUT", "book-\(book.id).json", JSONEncoder().encode(book))
  }

  package func remove(_ book: Book) async throws {
    try await send("DELETE", "book-\(book.id).json")
  }

  private var contents: FileContents {
    FileContents { name in try await send("GET", name) }
  }

  @discardableResult
  private func send(_ method: String, _ name: String, _ body: Data? = nil) async throws -> Data {
    var request = URLRequest(url: server.appendingPathComponent(name))
    request.httpMethod = method
    request.httpBody = body
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await answer(request)
    } catch {
      try Task.checkCancellation()
      throw BookServiceError("\(server.absoluteString) cannot be reached.")
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 200
    guard (200..<300).contains(status) else {
      throw BookServiceError("\(server.absoluteString) answered \(method) \(name) with status \(status).")
    }
    return data
  }
}
