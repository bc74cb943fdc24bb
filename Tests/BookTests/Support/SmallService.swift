import BookShelf

/// A service with a few books whose names are unusual.
struct SmallService: BookService {
  var titles = ["One", "Two", "Three"]
  var songs = ["La"]

  func shelf() async throws -> [Book] { books }

  func books(page: Int) async throws -> BookPage { BookPage(page: page, total: titles.count, books: books) }

  func songs(after name: String?) async throws -> SongPage {
    SongPage(songs: songs.map { Song(id: $0, title: $0, by: "Nobody", year: 1800) })
  }

  func save(_ book: Book) async throws {}

  func remove(_ book: Book) async throws {}

  private var books: [Book] {
    titles.enumerated().map { Book(id: $0 + 1, title: $1, author: "Nobody", year: 1800) }
  }
}
