/// A source of books and songs, which also stores changes of books.
package protocol BookService: Sendable {
  /// Returns all books of the shelf.
  func shelf() async throws -> [Book]

  /// Returns a page of all books; the first page is number 1.
  func books(page: Int) async throws -> BookPage

  /// Returns a page of the songs: the first page, or the page that the previous page named.
  func songs(after name: String?) async throws -> SongPage

  /// Stores a changed book.
  func save(_ book: Book) async throws

  /// Removes a book.
  func remove(_ book: Book) async throws
}

/// The books of the shelf, in the form of a file.
package struct ShelfPage: Equatable, Sendable, Codable {
  package var books: [Book]

  package init(books: [Book]) {
    self.books = books
  }
}

/// A page of all books, in the form of a file.
package struct BookPage: Equatable, Sendable, Codable {
  package let page: Int
  /// The number of books on all pages.
  package var total: Int
  package var books: [Book]

  package init(page: Int, total: Int, books: [Book]) {
    self.page = page
    self.total = total
    self.books = books
  }
}

/// A page of the songs, in the form of a file.
package struct SongPage: Equatable, Sendable, Codable {
  package let songs: [Song]
  /// The name of the next page; `nil` if this page is the last.
  package let next: String?

  package init(songs: [Song], next: String? = nil) {
    self.songs = songs
    self.next = next
  }
}

/// An error of a service, described in one sentence for the user.
package struct BookServiceError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
