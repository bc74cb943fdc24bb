import FluxCore

/// What tells one request from all others of its store.
///
/// A store counts its requests from 1, so that a test finds the same ids each time.
public struct RequestID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The number of the request.
  public let rawValue: UInt64

  /// Creates an id from a number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The number, as in `#3`.
  public var description: String { "#\(rawValue)" }
}

/// The numbers of a store's requests.
final class RequestNumbers: Sendable {
  private let last = Locked<UInt64>(0)

  func next() -> RequestID {
    RequestID(
      rawValue: last.withLock { last in
        last += 1
        return last
      })
  }
}

extension ActionContext {
  func nextRequestID() -> RequestID {
    attachment(RequestNumbers.self) { RequestNumbers() }.next()
  }
}
