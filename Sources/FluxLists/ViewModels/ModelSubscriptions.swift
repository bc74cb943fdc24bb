import FluxAsync
import FluxCore

/// The subscriptions of a model's streams.
///
/// The subscriptions end when the model is released, even if the store of the model continues to
/// exist.
final class ModelSubscriptions: Sendable {
  private struct Contents: Sendable {
    var tokens: [Int: SubscriptionToken] = [:]
    var next = 0
  }

  private let contents = Locked(Contents())

  /// Retains a subscription until the subscription is canceled or the model is released.
  ///
  /// The method is O(1).
  func keep(_ token: SubscriptionToken) -> SubscriptionToken {
    let number = contents.withLock { contents in
      contents.next += 1
      contents.tokens[contents.next] = token
      return contents.next
    }
    return SubscriptionToken { [weak self] in
      // The removed token is released outside the lock.
      _ = self?.contents.withLock { $0.tokens.removeValue(forKey: number) }
    }
  }

  /// Returns a stream of the values that a subscription delivers.
  ///
  /// The stream ends when the model is released.
  func stream<Element>(
    by areEqual: (@Sendable (Element, Element) -> Bool)? = nil,
    _ subscribe: @escaping @Sendable (_ receive: @escaping @Sendable (Element) -> Void) -> SubscriptionToken
  ) -> StateStream<Element> {
    StateStream(by: areEqual) { [weak self] receive in
      self.map { $0.keep(subscribe(receive)) } ?? SubscriptionToken {}
    }
  }
}
