package import Foundation
import SampleTerminal

/// A service that loads pages from a server: `GET <server>/page-1.json` and so on.
package struct HTTPMovieService: MovieService {
  private let server: Server

  /// Creates a service.
  ///
  /// - Parameter server: The address of the folder that contains the pages.
  package init(server: URL) {
    self.server = Server(at: server)
  }

  package func page(_ number: Int) async throws(MovieServiceError) -> FilmPage {
    let name = "page-\(number).json"
    let json: Data
    do throws(ServerTrouble) {
      json = try await server.get(name)
    } catch {
      throw MovieServiceError(MovieServiceError.Code(error.kind), error.description)
    }
    return try FilmPage(json: json, number: number, source: server.address(of: name))
  }
}

extension MovieServiceError.Code {
  /// Creates the code of a service error from the kind of a server error.
  fileprivate init(_ kind: ServerTrouble.Kind) {
    switch kind {
    case .unreachable: self = .unreachable
    case .timedOut: self = .timedOut
    case .status(404): self = .missing
    case .status(408), .status(429), .status(500...): self = .failing
    case .status: self = .refused
    }
  }
}
