import Foundation
package import SampleTerminal

/// Books and songs from a server: `GET <server>/books-1.json` and so on.
///
/// A changed book is sent with `PUT <server>/book-7.json`, and removed with `DELETE`. A server
/// that only serves files refuses both methods.
package struct HTTPBookService: BookService {
  private let server: Server

  /// Creates a service that loads from a server.
  package init(server: Server) {
    self.server = server
  }

  package func shelf() async throws -> [Book] { try await contents.shelf() }

  package func books(page: Int) async throws -> BookPage { try await contents.books(page: page) }

  package func songs(after name: String?) async throws -> SongPage { try await contents.songs(after: name) }

  package func save(_ book: Book) async throws {
    try await server.put(name(of: book), JSONEncoder().encode(book))
  }

  package func remove(_ book: Book) async throws { try await server.delete(name(of: book)) }

  private func name(of book: Book) -> String { "book-\(book.id).json" }

  private var contents: FileContents {
    FileContents { [server] name in try await server.get(name) }
  }
}
