import Foundation

/// The books and songs of the program's bundle; changes are kept while the program runs.
package actor BundledService: BookService {
  private let contents = FileContents { name in
    do {
      let folder = Bundle.module.bundleURL.appendingPathComponent("Resources")
      return try Data(contentsOf: folder.appendingPathComponent(name))
    } catch {
      throw BookServiceError("\(name) cannot be read.")
    }
  }
  private var changed: [Int: Book] = [:]
  private var removed: Set<Int> = []

  package init() {}

  package func shelf() async throws -> [Book] { asKept(try await contents.shelf()) }

  package func books(page: Int) async throws -> BookPage {
    var page = try await contents.books(page: page)
    page.books = asKept(page.books)
    page.total -= removed.count
    return page
  }

  package func songs(after name: String?) async throws -> SongPage {
    try await contents.songs(after: name)
  }

  package func save(_ book: Book) { changed[book.id] = book }

  package func remove(_ book: Book) { removed.insert(book.id) }

  private func asKept(_ books: [Book]) -> [Book] {
    books.filter { !removed.contains($0.id) }.map { changed[$0.id] ?? $0 }
  }
}
