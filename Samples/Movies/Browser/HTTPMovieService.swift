package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Loads pages from a server: `GET <server>/page-1.json` and so on.
package struct HTTPMovieService: MovieService {
  private let server: URL
  private let session: URLSession

  /// Creates a service.
  ///
  /// - Parameter server: The address in front of the page's name.
  package init(server: URL) {
    self.server = server
    let configuration = URLSessionConfiguration.ephemeral
    // How long to wait is for those to say who ask, and who cancel when they have waited enough.
    configuration.timeoutIntervalForRequest = 86_400
    session = URLSession(configuration: configuration)
  }

  package func page(_ number: Int) async throws(MovieServiceError) -> FilmPage {
    let address = server.appendingPathComponent("page-\(number).json")
    let body: Data
    let status: Int
    do {
      let (data, response) = try await session.data(from: address)
      body = data
      status = (response as? HTTPURLResponse)?.statusCode ?? 200
    } catch let error as URLError where error.code == .timedOut {
      throw MovieServiceError(.timedOut, "\(server.absoluteString) did not answer in time.")
    } catch {
      throw MovieServiceError(.unreachable, "\(server.absoluteString) cannot be reached.")
    }
    switch status {
    case 200..<300: return try FilmPage(json: body, number: number, source: address.absoluteString)
    case 404: throw MovieServiceError(.missing, "\(address.absoluteString) was not found.")
    case 408, 429, 500...:
      throw MovieServiceError(.failing, "\(address.absoluteString) answered with status \(status).")
    default: throw MovieServiceError(.refused, "\(address.absoluteString) answered with status \(status).")
    }
  }
}
