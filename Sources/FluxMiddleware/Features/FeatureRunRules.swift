/// The rules for the middleware and the plug-ins of a feature, from the first attachment of the
/// feature to the last.
///
/// The rules are a pure value without locks, so a test can explore every order of the events. The
/// events have three orders: callers attach and detach, the store commits the changes, and a thread
/// delivers the transitions of the changes in the order of the commits, possibly much later.
struct FeatureRunRules: Hashable, Sendable {
  private struct Change: Hashable, Sendable {
    let number: FeatureNumber
    let isActive: Bool
  }

  /// The response to a delivered transition.
  struct Delivery: Hashable, Sendable {
    /// A Boolean value that indicates whether the plug-ins receive the transition.
    let isReceived: Bool
    /// A Boolean value that indicates whether the thread ends the plug-ins.
    let isLast: Bool
  }

  /// A Boolean value that indicates whether the feature is attached in the newest state.
  private(set) var isActive = false
  /// A Boolean value that indicates whether the plug-ins have ended.
  private(set) var hasFinished = false
  /// The number of attachments whose action was not handled yet.
  private var pendingAttachments = 1
  /// A Boolean value that indicates whether a plug-in observes transitions.
  var isObserved = false
  /// The changes whose transitions were not delivered yet.
  private var changes: [Change] = []
  /// A Boolean value that indicates whether the feature is attached according to the transitions
  /// that were delivered.
  private var isReceiving = false

  // MARK: Callers

  /// Records that the feature is about to be attached once more.
  ///
  /// - Returns: `false` if the new attachment needs its own plug-ins.
  mutating func join() -> Bool {
    guard !hasFinished, isActive || pendingAttachments > 0 else { return false }
    pendingAttachments += 1
    return true
  }

  /// Records that the action of an attachment was handled.
  mutating func attachmentHandled() {
    pendingAttachments -= 1
  }

  /// Returns a Boolean value that indicates whether the caller ends the plug-ins.
  ///
  /// Only one caller receives `true`.
  mutating func finish() -> Bool {
    guard !hasFinished, pendingAttachments == 0, !isActive, changes.isEmpty else { return false }
    hasFinished = true
    return true
  }

  /// Records that the store was released.
  ///
  /// - Returns: A Boolean value that indicates whether the caller ends the plug-ins.
  mutating func storeEnded() -> Bool {
    defer { (hasFinished, isActive) = (true, false) }
    return !hasFinished
  }

  // MARK: Commits

  /// Records whether the feature is attached after a change, in the order of the commits.
  ///
  /// - Returns: A Boolean value that indicates whether the work of the plug-ins ends.
  mutating func committed(isActive isNow: Bool, by number: FeatureNumber) -> Bool {
    guard isNow != isActive, !hasFinished else { return false }
    isActive = isNow
    if isObserved { changes.append(Change(number: number, isActive: isNow)) }
    return !isNow && pendingAttachments == 0
  }

  // MARK: Deliveries

  /// Records that a transition is delivered.
  ///
  /// The plug-ins receive the transition that attaches the feature, and all later transitions
  /// before the transition that detaches it.
  ///
  /// - Parameter number: The number of the change, or `nil` if the action attaches or detaches no
  ///   feature.
  mutating func delivered(_ number: FeatureNumber?) -> Delivery {
    if let number, changes.first?.number == number { isReceiving = changes.removeFirst().isActive }
    return Delivery(isReceived: isReceiving && !hasFinished, isLast: finish())
  }
}
