import FluxCore
import Synchronization

/// An attachment of a feature: the work and the subscriptions that end with the attachment.
final class FeatureAttachment: Sendable {
  private struct Token: Sendable {
    weak var token: SubscriptionToken?
  }

  private struct Contents: Sendable {
    var tokens: [Token] = []
    /// The number of tokens at which the tokens of ended subscriptions are removed.
    var limit = 16
    /// The steps that cancel the work, which a thread performs outside the store's lock.
    var errands: Errands?
    var hasEnded = false
  }

  let number: FeatureNumber
  let run: FeatureRun
  /// The scope of the work that the proxy of the attachment starts.
  let scope: EffectScope
  private let contents = Locked(Contents())
  private let attached = Atomic(false)
  private let detachingCallers = Atomic(0)

  init(_ number: FeatureNumber, of run: FeatureRun) {
    self.number = number
    self.run = run
    scope = EffectScope(within: run.scope)
  }

  /// A Boolean value that indicates whether the attachment exists.
  var isAttached: Bool { attached.load(ordering: .acquiring) }

  /// A Boolean value that indicates whether the attachment was removed, or was never added.
  var hasEnded: Bool { contents.withLock { $0.hasEnded } }

  /// A Boolean value that indicates whether a caller waits for the removal, and ends the attachment
  /// afterward.
  var isBeingDetached: Bool { detachingCallers.load(ordering: .relaxed) > 0 }

  func detachingBegins() { detachingCallers.add(1, ordering: .relaxed) }

  func detachingEnds() { detachingCallers.subtract(1, ordering: .relaxed) }

  /// Updates the attachment to the attached features after a change, under the store's lock.
  ///
  /// - Returns: A Boolean value that indicates whether the attachment was removed.
  func update(to attached: [AttachedCode]) -> Bool {
    let isNow = attached.contains { $0.attachments.contains(number) }
    let was = self.attached.exchange(isNow, ordering: .acquiringAndReleasing)
    guard was, !isNow else { return false }
    let errands = scope.markEnded()
    contents.withLock { $0.errands = errands }
    return true
  }

  // MARK: Outside the lock

  /// Cancels a token when the attachment ends, if the token still exists.
  func keep(_ token: SubscriptionToken) -> SubscriptionToken {
    let hasEnded = contents.withLock { contents in
      if contents.hasEnded { return true }
      if contents.tokens.count >= contents.limit {
        contents.tokens.removeAll { $0.token == nil }
        contents.limit = max(16, 2 * contents.tokens.count)
      }
      contents.tokens.append(Token(token: token))
      return false
    }
    if hasEnded { token.cancel() }
    return token
  }

  /// Cancels the work and the subscriptions, after the attachment was removed.
  func end() {
    let (errands, tokens) = contents.withLock { contents in
      defer {
        contents.hasEnded = true
        contents.errands = nil
        contents.tokens = []
      }
      return (contents.errands, contents.tokens)
    }
    for token in tokens { token.token?.cancel() }
    (errands ?? scope.markEnded()).perform()
  }
}
