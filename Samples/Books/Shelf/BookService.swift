/// Where books and songs come from, and where changes of books are kept.
package protocol BookService: Sendable {
  /// The books of the shelf, all of them.
  func shelf() async throws -> [Book]

  /// A page of all books; the first is number 1.
  func books(page: Int) async throws -> BookPage

  /// A page of the songs: the first, or the one that the page before has named.
  func songs(after name: String?) async throws -> SongPage

  /// Keeps a changed book.
  func save(_ book: Book) async throws

  /// Forgets a book.
  func remove(_ book: Book) async throws
}

/// The books of the shelf, as they stand in a file.
package struct ShelfPage: Equatable, Sendable, Codable {
  package var books: [Book]

  package init(books: [Book]) {
    self.books = books
  }
}

/// Some of all books, as they stand in a file.
package struct BookPage: Equatable, Sendable, Codable {
  package let page: Int
  /// How many books there are on all pages.
  package var total: Int
  package var books: [Book]

  package init(page: Int, total: Int, books: [Book]) {
    self.page = page
    self.total = total
    self.books = books
  }
}

/// Some of the songs, as they stand in a file.
package struct SongPage: Equatable, Sendable, Codable {
  package let songs: [Song]
  /// What the next page is called; `nil` if this is the last.
  package let next: String?

  package init(songs: [Song], next: String? = nil) {
    self.songs = songs
    self.next = next
  }
}

/// What went wrong with a service, in one sentence for the user.
package struct BookServiceError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
