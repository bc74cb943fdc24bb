package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// A server from which a client can get files.
///
/// Some servers also allow clients to store and remove files.
package struct Server: Sendable {
  /// Sends a request and waits for the answer.
  package typealias Answer = @Sendable (URLRequest) async throws -> (Data, URLResponse)

  private let address: URL
  private let answer: Answer

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - address: The address of the folder that contains the files.
  ///   - answer: Sends a request. By default, the request is sent over the network.
  package init(at address: URL, answer: Answer? = nil) {
    self.address = address
    if let answer {
      self.answer = answer
      return
    }
    let configuration = URLSessionConfiguration.ephemeral
    // The callers define the time limit: they cancel a request that takes too long.
    configuration.timeoutIntervalForRequest = 86_400
    let session = URLSession(configuration: configuration)
    self.answer = { request in try await session.data(for: request) }
  }

  /// Returns the full address of a file.
  package func address(of name: String) -> String { address.appendingPathComponent(name).absoluteString }

  /// Gets a file.
  package func get(_ name: String) async throws(ServerTrouble) -> Data { try await send("GET", name) }

  /// Stores a file on the server.
  package func put(_ name: String, _ body: Data) async throws(ServerTrouble) {
    _ = try await send("PUT", name, body)
  }

  /// Removes a file from the server.
  package func delete(_ name: String) async throws(ServerTrouble) { _ = try await send("DELETE", name) }

  private func send(
    _ method: String, _ name: String, _ body: Data? = nil
  ) async throws(ServerTrouble) -> Data {
    let file = address.appendingPathComponent(name)
    var request = URLRequest(url: file)
    request.httpMethod = method
    request.httpBody = body
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await answer(request)
    } catch let error as URLError where error.code == .timedOut {
      throw ServerTrouble(.timedOut, "\(address.absoluteString) did not answer in time.")
    } catch {
      throw ServerTrouble(.unreachable, "\(address.absoluteString) cannot be reached.")
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 200
    switch status {
    case 200..<300: return data
    case 404: throw ServerTrouble(.status(status), "\(file.absoluteString) was not found.")
    default:
      let asked = method == "GET" ? "" : " \(method)"
      throw ServerTrouble(.status(status), "\(file.absoluteString) answered\(asked) with status \(status).")
    }
  }
}
