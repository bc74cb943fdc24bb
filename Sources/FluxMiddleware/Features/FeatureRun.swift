import FluxCore
import Synchronization

/// A feature that is about to be attached, is attached, or was detached, outside the state.
final class FeatureRun: Sendable {
  let code: FeatureCode
  private let active = Atomic(false)

  init(_ code: FeatureCode) {
    self.code = code
  }

  /// A Boolean value that indicates whether the middleware of the feature receives actions.
  var isActive: Bool { active.load(ordering: .acquiring) }

  /// Updates the run to the attached features after a change, under the store's lock.
  func update(to attached: [AttachedCode]) {
    active.store(attached.contains { $0.code.id == code.id }, ordering: .releasing)
  }
}

/// An attachment of a feature: the work and the subscriptions that end with the attachment.
final class FeatureAttachment: Sendable {
  private struct Contents: Sendable {
    var tokens: [UInt64: SubscriptionToken] = [:]
    var lastToken: UInt64 = 0
    /// The steps that cancel the work, which a thread performs outside the store's lock.
    var errands: Errands?
    var hasEnded = false
  }

  let number: FeatureNumber
  /// The scope of the work that the proxy of the attachment starts.
  let scope: EffectScope
  private let contents = Locked(Contents())
  private let attached = Atomic(false)

  init(_ number: FeatureNumber, within store: EffectScope) {
    self.number = number
    scope = EffectScope(within: store)
  }

  /// A Boolean value that indicates whether the attachment exists.
  var isAttached: Bool { attached.load(ordering: .acquiring) }

  /// Updates the attachment to the attached features after a change, under the store's lock.
  func update(to features: [AttachedCode]) {
    let isNow = features.contains { $0.attachments.contains(number) }
    let was = attached.exchange(isNow, ordering: .acquiringAndReleasing)
    if was, !isNow {
      let errands = scope.markEnded()
      contents.withLock { $0.errands = errands }
    }
  }

  // MARK: Outside the lock

  /// Returns a token that is canceled when the attachment ends.
  func keep(_ token: SubscriptionToken) -> SubscriptionToken {
    let number = contents.withLock { contents -> UInt64? in
      if contents.hasEnded { return nil }
      contents.lastToken += 1
      contents.tokens[contents.lastToken] = token
      return contents.lastToken
    }
    guard let number else {
      token.cancel()
      return token
    }
    return SubscriptionToken(cancelling: { [weak self] in
      self?.contents.withLock { $0.tokens.removeValue(forKey: number) }?.cancel()
    })
  }

  /// Cancels the work and the subscriptions, after the attachment was removed.
  func end() {
    let (errands, tokens) = contents.withLock { contents in
      defer {
        contents.hasEnded = true
        contents.errands = nil
        contents.tokens = [:]
      }
      return (contents.errands, contents.tokens)
    }
    for token in tokens.sorted(by: { $0.key < $1.key }) { token.value.cancel() }
    errands?.perform()
  }
}
