package import Foundation

/// Where the films come from.
package protocol MovieService: Sendable {
  /// Loads one page of the library.
  func page(_ number: Int) async throws(MovieServiceError) -> FilmPage
}

/// Why a page could not be loaded.
package struct MovieServiceError: Error, Equatable, CustomStringConvertible {
  package struct Code: Equatable, Sendable {
    private enum Kind {
      case missing, malformed, unreachable, timedOut, refused, failing
    }

    private let kind: Kind

    /// There is no such file or page.
    package static let missing = Code(kind: .missing)
    /// What came is not a page of films.
    package static let malformed = Code(kind: .malformed)
    /// The server cannot be reached.
    package static let unreachable = Code(kind: .unreachable)
    /// The server did not answer in time.
    package static let timedOut = Code(kind: .timedOut)
    /// The server will not give it, and says so by its status.
    package static let refused = Code(kind: .refused)
    /// The server cannot give it now, and says so by its status.
    package static let failing = Code(kind: .failing)
  }

  package let code: Code
  package let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Nothing has come of a page in the time that there was.
  static func timedOut(page number: Int) -> MovieServiceError {
    MovieServiceError(.timedOut, "Page \(number) did not come in time.")
  }

  /// Whether it may go better the next time, so that trying again helps.
  var mayPass: Bool { [.unreachable, .timedOut, .failing].contains(code) }
}

extension FilmPage {
  /// Reads a page from JSON, and checks that it is the one that was asked for.
  package init(json: Data, number: Int, source: String) throws(MovieServiceError) {
    do {
      self = try JSONDecoder().decode(FilmPage.self, from: json)
    } catch let error as DecodingError {
      throw MovieServiceError(.malformed, "\(source) is not a page of films (\(error.reason)).")
    } catch {
      throw MovieServiceError(.malformed, "\(source) is not a page of films (\(error)).")
    }
    guard page == number else {
      throw MovieServiceError(.malformed, "\(source) is page \(page), where page \(number) was asked for.")
    }
    guard pages >= page, total >= films.count else {
      let contents = "page \(page) of \(pages), \(films.count) films of \(total)"
      throw MovieServiceError(.malformed, "\(source) does not add up (\(contents)).")
    }
  }
}

extension DecodingError {
  /// What is wrong, in a few words.
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, let context):
      "no \"\(key.stringValue)\"" + (context.codingPath.isEmpty ? "" : " at \(context.place)")
    case .typeMismatch(_, let context): "\(context.place) is of another kind"
    case .valueNotFound(_, let context): "\(context.place) has no value"
    // Not JSON at all, or JSON with a number that does not fit: Foundation does not tell them apart.
    case .dataCorrupted: "its JSON cannot be read"
    @unknown default: "it cannot be decoded"
    }
  }
}

extension DecodingError.Context {
  fileprivate var place: String {
    let path = codingPath.map { key in key.intValue.map { "\($0 + 1)" } ?? key.stringValue }
    return path.isEmpty ? "it" : path.joined(separator: " ")
  }
}
