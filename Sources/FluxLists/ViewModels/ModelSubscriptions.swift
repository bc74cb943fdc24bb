import FluxAsync
import FluxCore

/// The subscriptions of the streams of a model, which end with it also where the store goes on.
final class ModelSubscriptions: Sendable {
  private struct Contents: Sendable {
    var tokens: [Int: SubscriptionToken] = [:]
    var next = 0
  }

  private let contents = Locked(Contents())

  /// Keeps a subscription until it is cancelled, or the model goes.
  ///
  /// O(1).
  func keep(_ token: SubscriptionToken) -> SubscriptionToken {
    let number = contents.withLock { contents in
      contents.next += 1
      contents.tokens[contents.next] = token
      return contents.next
    }
    return SubscriptionToken { [weak self] in
      // Released outside the lock.
      _ = self?.contents.withLock { $0.tokens.removeValue(forKey: number) }
    }
  }

  /// The stream of what a way to subscribe calls its closure with, until the model goes.
  func stream<Element>(
    by areEqual: (@Sendable (Element, Element) -> Bool)? = nil,
    _ subscribe: @escaping @Sendable (_ receive: @escaping @Sendable (Element) -> Void) -> SubscriptionToken
  ) -> StateStream<Element> {
    StateStream(by: areEqual) { [weak self] receive in
      self.map { $0.keep(subscribe(receive)) } ?? SubscriptionToken {}
    }
  }
}
