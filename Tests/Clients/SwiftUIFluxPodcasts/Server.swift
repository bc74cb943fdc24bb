import Foundation

/// A web service that completes a request on a background queue when a test calls `answer` or
/// `fail`.
class Server {
  private let queue = DispatchQueue(label: "Server")
  private var requests: [Endpoint: (Data?) -> Void] = [:]

  /// The requests without an answer.
  var pending: Set<Endpoint> { Set(requests.keys) }

  func request(_ endpoint: Endpoint, completion: @escaping (Data?) -> Void) {
    requests[endpoint] = completion
  }

  /// Answers a request, and returns after its completion handler.
  func answer<T: Codable>(_ endpoint: Endpoint, _ value: T) {
    complete(endpoint, try? JSONEncoder().encode(value))
  }

  /// Fails a request, and returns after its completion handler.
  func fail(_ endpoint: Endpoint) {
    complete(endpoint, nil)
  }

  private func complete(_ endpoint: Endpoint, _ data: Data?) {
    let group = DispatchGroup()
    queue.async(group: group) {
      self.requests.removeValue(forKey: endpoint)?(data)
    }
    group.wait()
  }
}
