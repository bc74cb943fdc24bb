import BookShelf
import Testing

@Suite("The books and songs that come with the program")
struct BundledTests {
  @Test("the pages contain all books once, in order, and report the right total")
  func pages() async throws {
    let service = BundledService()
    var books: [Book] = []
    for page in 1...4 {
      let page = try await service.books(page: page)
      #expect(page.total == 46)
      books += page.books
    }
    #expect(books.map(\.id) == Array(1...46))
    #expect(books.map(\.year) == books.map(\.year).sorted())
  }

  @Test("the shelf contains only books that are among all books, with the same content")
  func shelf() async throws {
    let service = BundledService()
    var books: [Book] = []
    for page in 1...4 { books += try await service.books(page: page).books }
    #expect(Set(try await service.shelf()).isSubset(of: books))
  }

  @Test("each page of songs names the next page, and no song occurs twice")
  func songs() async throws {
    let service = BundledService()
    let first = try await service.songs(after: nil)
    let second = try await service.songs(after: first.next)
    #expect(second.next == nil)
    let ids = (first.songs + second.songs).map(\.id)
    #expect(ids.count == 12)
    #expect(Set(ids).count == 12)
  }

  @Test("a page that does not exist is reported")
  func missing() async {
    let error = await #expect(throws: BookServiceError.self) { try await BundledService().books(page: 9) }
    #expect(error?.description == "books-9.json cannot be read.")
  }
}
