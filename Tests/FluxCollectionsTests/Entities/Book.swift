import FluxCollections
import Testing

struct Book: IdentifiableState, Hashable, Codable {
  var id: String
  var title: String
  var author: String?

  init(_ id: String, _ title: String, by author: String? = nil) {
    self.id = id
    self.title = title
    self.author = author
  }
}

let gatsby = Book("tgg", "The Great Gatsby")
let clockwork = Book("aco", "A Clockwork Orange")
let farm = Book("af", "Animal Farm")
let hobbit = Book("th", "The Hobbit", by: "Tolkien")

/// The two types of adapters, whose rules differ only in the order.
enum Shelf: String, CaseIterable, CustomTestStringConvertible {
  case asTheyCome = "in the order in which they come"
  case byTitle = "sorted by title"

  var testDescription: String { rawValue }

  var adapter: EntityAdapter<Book> {
    switch self {
    case .asTheyCome: EntityAdapter()
    case .byTitle: EntityAdapter(sortedBy: { $0.title < $1.title })
    }
  }

  /// Books in the order of this shelf.
  func books(_ books: Book...) -> [Book] {
    self == .byTitle ? books.sorted { $0.title < $1.title } : books
  }
}
