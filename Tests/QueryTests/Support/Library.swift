import FluxAsync
import FluxCollections
import FluxCore
import FluxQuery
import TestSupport

struct Author: Hashable, Identifiable, Sendable {
  let id: String
  var name: String
}

/// A query for an author.
///
/// The name of author A is the answer of the service to `author A`.
struct AuthorByID: EntityQuery {
  let id: String

  func fetch(in context: RequestContext<AppState>) async throws -> Author {
    Author(id: id, name: try await context.services(Service.self).call("author \(id)"))
  }
}

struct Book: Hashable, Identifiable, Sendable {
  let id: Int
  var title: String
  var author = Author(id: "A", name: "Austen")
}

extension Book {
  /// Creates books from words such as `1=Emma`.
  static func books(in text: String) -> [Book] {
    text.split(separator: " ").map { word in
      let parts = word.split(separator: "=")
      return Book(id: Int(parts[0]) ?? 0, title: String(parts[1]))
    }
  }
}

/// A query for a book.
///
/// The title of book 1 is the answer of the service to `book 1`.
struct BookByID: EntityQuery {
  let id: Int

  var entities: [EntityPath<Book>] { [.one(AuthorByID.self, at: \.author)] }

  func fetch(in context: RequestContext<AppState>) async throws -> Book {
    Book(id: id, title: try await context.services(Service.self).call("book \(id)"))
  }

  func tags(for result: Result<Book, QueryFailure>) -> Set<QueryTag> { [.type("Book", id: id)] }
}

/// The books of a list, which the service returns as words such as `1=Emma`.
struct BookList: Query {
  let name: String

  var entities: [EntityPath<[Book]>] { [.each(BookByID.self, in: \.self)] }

  func fetch(in context: RequestContext<AppState>) async throws -> [Book] {
    Book.books(in: try await context.services(Service.self).call(name))
  }

  func tags(for result: Result<[Book], QueryFailure>) -> Set<QueryTag> { [.type("BookList", id: name)] }
}

/// A mutation that changes the title of a book.
///
/// The new title is shown while the mutation is running.
struct RetitleBook: Mutation {
  let id: Int
  let title: String

  func perform(in context: RequestContext<AppState>) async throws -> Book {
    Book(id: id, title: try await context.services(Service.self).call("retitle \(id)"))
  }

  func optimisticEdits() -> [QueryEdit] { [.edit(BookByID(id: id)) { $0.title = title }] }

  func edits(for book: Book) -> [QueryEdit] { [.write(book, to: BookByID(id: book.id))] }
}

extension World {
  func book(_ id: Int) -> QueryState<Book> { cache[BookByID(id: id)] }

  /// The titles of a list.
  func titles(_ list: String) -> String? {
    cache[BookList(name: list)].data.map { $0.map(\.title).joined(separator: " ") }
  }

  /// Fetches a list, and answers with its books.
  func loadList(_ name: String, _ books: String) async {
    store.prefetch(BookList(name: name), .always)
    await answer(name, books)
  }

  /// Fetches a book, and answers with its title.
  func loadBook(_ id: Int, _ title: String) async {
    store.prefetch(BookByID(id: id), .always)
    await answer("book \(id)", title)
  }
}
