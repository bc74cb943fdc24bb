package import Foundation

/// A source of films.
package protocol MovieService: Sendable {
  /// Loads one page of the library.
  func page(_ number: Int) async throws(MovieServiceError) -> FilmPage
}

/// An error that occurs when a page is loaded.
package struct MovieServiceError: Error, Equatable, CustomStringConvertible {
  package struct Code: Equatable, Sendable {
    private enum Kind {
      case missing, malformed, unreachable, timedOut, refused, failing
    }

    private let kind: Kind

    /// No such file or page exists.
    package static let missing = Code(kind: .missing)
    /// The answer is not a page of films.
    package static let malformed = Code(kind: .malformed)
    /// The server cannot be reached.
    package static let unreachable = Code(kind: .unreachable)
    /// The server did not answer in time.
    package static let timedOut = Code(kind: .timedOut)
    /// The server refused the request for the page, as the status of its answer indicates.
    package static let refused = Code(kind: .refused)
    /// The server cannot return the page now, as the status of its answer indicates.
    package static let failing = Code(kind: .failing)
  }

  package let code: Code
  package let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// A Boolean value that indicates whether the error might be temporary, so that another
  /// attempt can succeed.
  var mayPass: Bool { [.unreachable, .timedOut, .failing].contains(code) }
}

extension FilmPage {
  /// Reads a page from JSON, and checks that it has the requested number.
  package init(json: Data, number: Int, source: String) throws(MovieServiceError) {
    do {
      self = try JSONDecoder().decode(FilmPage.self, from: json)
    } catch let error as DecodingError {
      throw MovieServiceError(.malformed, "\(source) is not a page of films (\(error.reason)).")
    } catch {
      throw MovieServiceError(.malformed, "\(source) is not a page of films (\(error)).")
    }
    guard page == number else {
      throw MovieServiceError(.malformed, "\(source) is page \(page), but page \(number) was requested.")
    }
    guard pages >= page, total >= films.count else {
      let contents = "page \(page) of \(pages), \(films.count) films of \(total)"
      throw MovieServiceError(.malformed, "\(source) does not add up (\(contents)).")
    }
  }
}

extension DecodingError {
  /// A short description of the error.
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, let context):
      "no \"\(key.stringValue)\"" + (context.codingPath.isEmpty ? "" : " at \(context.place)")
    case .typeMismatch(_, let context): "\(context.place) has another type"
    case .valueNotFound(_, let context): "\(context.place) has no value"
    // The data is not JSON, or contains a number that is out of range: Foundation does not
    // distinguish these errors.
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
