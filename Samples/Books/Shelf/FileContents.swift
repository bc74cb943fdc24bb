import Foundation
import SampleTerminal

/// The decoded contents of a service's files, wherever the files are.
struct FileContents: Sendable {
  /// Reads the file with a name.
  let read: @Sendable (_ name: String) async throws -> Data

  func shelf() async throws -> [Book] {
    try await decoded(ShelfPage.self, from: "shelf.json").books
  }

  func books(page: Int) async throws -> BookPage {
    let name = "books-\(page).json"
    let found = try await decoded(BookPage.self, from: name)
    guard found.page == page else {
      throw BookServiceError("\(name) is page \(found.page), but page \(page) was requested.")
    }
    return found
  }

  func songs(after name: String?) async throws -> SongPage {
    let name = name ?? "songs"
    // A page can specify only the name of a next page, and not the path of an arbitrary file.
    guard name.count <= 40, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    else {
      throw BookServiceError("The next songs should be at \(name.quoted), which is not the name of a page.")
    }
    return try await decoded(SongPage.self, from: "\(name).json")
  }

  private func decoded<Page: Decodable>(_ type: Page.Type, from name: String) async throws -> Page {
    let json = try await read(name)
    do {
      return try JSONDecoder().decode(Page.self, from: json)
    } catch {
      throw BookServiceError("\(name) does not have the expected form.")
    }
  }
}
