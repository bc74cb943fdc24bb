import FluxCore
import Synchronization

/// The middleware and the plug-ins of a feature, from its first attachment to its last, outside the
/// state.
final class FeatureRun: Sendable {
  private struct Contents: Sendable {
    var rules = FeatureRunRules()
    /// The code of the feature, after the plug-ins were created.
    var code: FeatureCode?
    /// A closure that removes the middleware and the plug-ins, and receives the last state of the
    /// feature, or `nil` if the feature was never attached.
    var end: (@Sendable (_ last: (any Sendable)?) -> Void)?
    /// The state of the feature before it was detached.
    var last: (any Sendable)?
    /// The steps that cancel the work of the plug-ins, which a thread performs outside the store's
    /// lock.
    var errands: Errands?
  }

  let id = FeatureNumber()
  let name: String
  let stateType: Any.Type
  /// The place in the source code at which the feature was created.
  let origin: FeatureOrigin
  /// The scope of the work of the plug-ins, which contains the scopes of the attachments.
  let scope: EffectScope
  private let contents = Locked(Contents())
  /// A lock that a thread holds while it creates the plug-ins.
  private let creation = Locked(())
  /// The thread that is creating the plug-ins, or 0.
  private let creator = Atomic<UInt>(0)
  /// A copy of the value in the rules, which middleware read without the lock.
  private let active = Atomic(false)

  /// Creates a run of a feature that is about to be attached.
  init<State>(of feature: Feature<State>, within store: EffectScope) {
    name = feature.name
    stateType = State.self
    origin = feature.origin
    scope = EffectScope(within: store)
  }

  /// A Boolean value that indicates whether the middleware of the feature receives actions.
  var isActive: Bool { active.load(ordering: .acquiring) }

  // MARK: Attachments

  /// Creates the middleware and the plug-ins, unless they exist.
  ///
  /// If another thread is creating them, the method waits. The code of the plug-ins must therefore
  /// not wait for a thread that attaches the same feature.
  ///
  /// - Parameter create: A closure that creates the middleware and the plug-ins, and returns the
  ///   code of the feature and a closure that removes them.
  func prepare(
    _ create: () -> (code: FeatureCode, end: @Sendable (_ last: (any Sendable)?) -> Void)
  ) -> FeatureCode {
    let thread = ThreadIdentity.current.rawValue
    if creator.load(ordering: .relaxed) == thread { Misuse.featureAttachedByItsPlugin(name) }
    return creation.withLock { _ in
      if let code = contents.withLock({ $0.code }) { return code }
      creator.store(thread, ordering: .relaxed)
      defer { creator.store(0, ordering: .relaxed) }
      let new = create()
      let hasFinished = contents.withLock { contents in
        if !contents.rules.hasFinished { (contents.code, contents.end) = new }
        return contents.rules.hasFinished
      }
      // The store was released meanwhile.
      if hasFinished { new.end(nil) }
      return new.code
    }
  }

  /// Records that a plug-in observes transitions, before the feature is attached.
  func observesTransitions() {
    contents.withLock { $0.rules.isObserved = true }
  }

  /// Returns a Boolean value that indicates whether a new attachment uses the run.
  func join() -> Bool { contents.withLock { $0.rules.join() } }

  /// Records that the action of an attachment was handled.
  func attachmentHandled() {
    contents.withLock { $0.rules.attachmentHandled() }
  }

  // MARK: Under the store's lock

  /// Updates the run to the attached features after a change.
  ///
  /// - Parameters:
  ///   - attached: The attached features.
  ///   - change: The number of the change.
  ///   - before: The states of the features before the change.
  func update(to attached: [AttachedCode], by change: FeatureNumber, before: FeatureStates) {
    let isNow = attached.contains { $0.code.id == id }
    if isNow == active.exchange(isNow, ordering: .acquiringAndReleasing) { return }
    let last = isNow ? nil : before.value(of: name)
    let old = contents.withLock { contents in
      if contents.rules.committed(isActive: isNow, by: change) { contents.errands = scope.markEnded() }
      defer { contents.last = last }
      return contents.last
    }
    withExtendedLifetime(old) {}
  }

  // MARK: Deliveries

  /// Returns a Boolean value that indicates whether the plug-ins receive a transition.
  ///
  /// The method is called once for each transition, in the order of the commits.
  func receives(_ change: FeatureNumber?) -> Bool {
    let delivery = contents.withLock { $0.rules.delivered(change) }
    if delivery.isLast { end() }
    return delivery.isReceived
  }

  // MARK: The end

  /// Ends the plug-ins, if no attachment needs them.
  func finish() {
    if contents.withLock({ $0.rules.finish() }) { end() }
  }

  /// Ends the plug-ins, because the store was released.
  ///
  /// - Parameter states: The last states of the features.
  func storeEnded(with states: FeatureStates?) {
    let last = active.exchange(false, ordering: .acquiringAndReleasing) ? states?.value(of: name) : nil
    let isToEnd = contents.withLock { contents in
      if let last { contents.last = last }
      return contents.rules.storeEnded()
    }
    if isToEnd { end() }
  }

  /// A Boolean value that indicates whether the plug-ins have ended.
  var hasEnded: Bool { contents.withLock { $0.rules.hasFinished } }

  /// Cancels the work of the plug-ins, if the feature was detached.
  func cancelWork() {
    contents.withLock { $0.errands.take() }?.perform()
  }

  private func end() {
    let old = contents.withLock { contents in
      defer { (contents.code, contents.end, contents.last) = (nil, nil, nil) }
      return contents
    }
    cancelWork()
    scope.end()
    old.end?(old.last)
  }
}
