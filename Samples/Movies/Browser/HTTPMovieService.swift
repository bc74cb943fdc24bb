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
  /// - Parameters:
  ///   - server: The address in front of the page's name.
  ///   - timeout: How many seconds to wait for an answer; on Linux rounded up to a whole number.
  package init(server: URL, timeout: Double) {
    self.server = server
    #if canImport(FoundationNetworking)
      // Here Foundation cuts seconds off to a whole number, so that less than one would be none.
      let timeout = timeout.rounded(.up)
    #endif
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
    configuration.timeoutIntervalForResource = timeout
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
    default: throw MovieServiceError(.refused, "\(address.absoluteString) answered with status \(status).")
    }
  }
}
