public import FluxCore

/// A value that identifies a request within its store.
///
/// A store numbers its requests from 1, so the identities of its requests are the same in each
/// run of a test.
public struct RequestID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The number of the request.
  public let rawValue: UInt64

  /// Creates an identity from a number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The number as a string, for example `#3`.
  public var description: String { "#\(rawValue)" }
}

/// A counter that numbers a store's requests.
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
  @usableFromInline
  func nextRequestID() -> RequestID {
    attachment(RequestNumbers.self) { RequestNumbers() }.next()
  }
}
