public import FluxCore
import Synchronization

/// The attached features of a store, outside its state.
///
/// The state contains the reducers of the attached features, and undo, restoring, and time travel
/// can replace the state. This object contains the features that must be attached, and aligns the
/// state with them before the next action.
@usableFromInline
final class FeatureRuns: Sendable {
  private struct Contents: Sendable {
    /// The features that the state must contain.
    var current = AttachedFeatures()
    /// The features that the state had to contain before the last change.
    var previous = AttachedFeatures()
    var attachments: [FeatureNumber: FeatureAttachment] = [:]
    /// The runs that have not ended, by their identities.
    var runs: [FeatureNumber: FeatureRun] = [:]
    var problems: [FeatureError] = []
  }

  /// The attached features after a change.
  private struct AttachedFeatures: Sendable {
    var codes: [AttachedCode] = []
    var revision = FeatureNumber.none
  }

  private let contents = Locked(Contents())
  /// The number of the last change to the attached features.
  private let revision = Atomic<UInt64>(FeatureNumber.none.rawValue)
  /// The number of times that features were attached in a replaced state, in all stores.
  private static let alignments = Atomic(0)
  /// A Boolean value that indicates whether a feature was ever attached.
  private let hasFeatures = Atomic(false)
  private let onProblem: @Sendable (FeatureError) -> Void
  /// The scope of the store, in which problems are reported that occur under the store's lock.
  private let scope = Locked<EffectScope?>(nil)

  @usableFromInline
  init(onProblem: @escaping @Sendable (FeatureError) -> Void) {
    self.onProblem = onProblem
  }

  /// The number of times that features were attached in a replaced state, in all stores.
  static var alignmentCount: Int { alignments.load(ordering: .relaxed) }

  /// The number of the last change to the attached features.
  var lastChange: FeatureNumber { FeatureNumber(rawValue: revision.load(ordering: .relaxed)) }

  /// A Boolean value that indicates whether a feature was ever attached.
  @usableFromInline var isUsed: Bool { hasFeatures.load(ordering: .relaxed) }

  /// Connects the features to the scope of their store.
  ///
  /// - Returns: `false` if the features are already connected to a store.
  func connect(to store: EffectScope) -> Bool {
    scope.withLock { scope in
      guard scope == nil else { return false }
      scope = store
      return true
    }
  }

  // MARK: Attachments

  /// Returns the run that a new attachment of a feature uses, which can be a new run.
  ///
  /// If the run is used by a feature with another type of state, the program stops. Another feature
  /// with the same type of state is reported.
  func run<State>(of feature: Feature<State>, within store: EffectScope) -> FeatureRun {
    let run = contents.withLock { contents in
      if let run = contents.runs.values.first(where: { $0.name == feature.name && $0.join() }) { return run }
      let run = FeatureRun(of: feature, within: store)
      contents.runs[run.id] = run
      return run
    }
    if run.stateType != State.self { Misuse.featureWithTwoTypes(feature.name) }
    if run.origin != feature.origin {
      let places = "\(run.origin), not \(feature.origin)"
      onProblem(FeatureError(.otherFeature, of: feature.name, reason: places))
    }
    return run
  }

  /// Adds an attachment before the action that attaches the feature is dispatched.
  func add(_ attachment: FeatureAttachment) {
    contents.withLock { $0.attachments[attachment.number] = attachment }
    hasFeatures.store(true, ordering: .relaxed)
    ReductionByFeatures.recordAttachment()
  }

  /// Records that the action that attaches a feature was handled.
  func attachingEnded(_ attachment: FeatureAttachment) {
    attachment.run.attachmentHandled()
    settle(attachment, after: attachment.number)
  }

  /// Ends an attachment and its run if they are not needed, after an action of the attachment was
  /// dispatched, and reports the problems that occurred under the store's lock.
  ///
  /// - Parameters:
  ///   - attachment: The attachment.
  ///   - change: The number of the change that the action could have made.
  func settle(_ attachment: FeatureAttachment, after change: FeatureNumber) {
    let (problems, previous) = contents.withLock { contents in
      let previous = contents.previous
      // After a later change, the development checks may still need the features before it.
      if contents.current.revision == change { contents.previous = AttachedFeatures() }
      defer { contents.problems = [] }
      if !attachment.isAttached { contents.attachments[attachment.number] = nil }
      return (contents.problems, previous)
    }
    withExtendedLifetime(previous) {}
    if !attachment.isAttached { attachment.end() }
    attachment.run.cancelWork()
    attachment.run.finish()
    removeEndedRuns()
    for problem in problems { onProblem(problem) }
  }

  /// Releases the runs that have ended.
  private func removeEndedRuns() {
    let ended = contents.withLock { contents in
      let ended = contents.runs.filter { $0.value.hasEnded }
      for id in ended.keys { contents.runs[id] = nil }
      return ended
    }
    withExtendedLifetime(ended) {}
  }

  /// Reports a problem outside the store's lock.
  func report(_ problem: FeatureError) {
    onProblem(problem)
  }

  /// Returns the number of the change that an action makes to the attached features, or `nil` if
  /// the action makes no change.
  func number(ofChange action: any Action) -> FeatureNumber? {
    guard isFeatureChange(action) else { return nil }
    return switch action {
    case let action as FeatureAttached where action.runs === self: action.attachment
    case let action as FeatureDetached where action.runs === self: action.change
    default: nil
    }
  }

  // MARK: Reducing

  /// Reduces an action with the reducers of the attached features, under the store's lock.
  @usableFromInline
  func reduce(_ states: inout FeatureStates, _ action: any Action) -> FeatureReduction {
    if states.revision.rawValue != revision.load(ordering: .relaxed) { align(&states, before: action) }
    if isFeatureChange(action) {
      if let alignment = action as? FeatureAlignment {
        return align(&states, for: alignment) ? .ofFeaturesOnly : .current
      }
      change(&states, action)
    }
    if ReductionByPlugin.isFollowed || ReductionByFeatures.areFollowed {
      let before = states
      states.reduce(action)
      if before != states {
        ReductionByPlugin.wasMade()
        ReductionByFeatures.wasMade()
      }
    } else {
      states.reduce(action)
    }
    return .current
  }

  /// Attaches the features of an earlier value again, if the reducer of the store has replaced the
  /// value in a replay.
  @usableFromInline
  func attachAgain(in states: inout FeatureStates, asIn before: FeatureStates?) {
    guard let before, states.revision != before.revision else { return }
    _ = states.align(with: before.attached, as: before.revision)
  }

  /// Attaches the features that the states must contain.
  ///
  /// If a history reduces actions again, the states contain the features that were attached at
  /// that time. Imported states contain no features, so the present features reduce the actions
  /// again. The development checks reduce the newest action again, with the state before it.
  @inline(never)
  private func align(_ states: inout FeatureStates, before action: any Action) {
    let isCheck = Recomputation.isCheck
    if Recomputation.isRunning, !isCheck {
      if action is FeatureAlignment { return }
      states.revertToRestored()
      if states.revision != .imported { return }
    }
    let isChange = isCheck && isFeatureChange(action)
    let attached = contents.withLock { isChange ? $0.previous : $0.current }
    if states.revision == attached.revision { return }
    let problems = states.align(with: attached.codes, as: attached.revision)
    if Recomputation.isRunning { return }
    Self.alignments.wrappingAdd(1, ordering: .relaxed)
    reportLater(problems)
  }

  /// Attaches the features that the states must contain, for a history.
  ///
  /// - Returns: A Boolean value that indicates whether no other reducer receives the action.
  @inline(never)
  private func align(_ states: inout FeatureStates, for alignment: FeatureAlignment) -> Bool {
    guard alignment.runs === self else { return false }
    let attached = contents.withLock { $0.current }
    switch alignment.purpose {
    case .restoring:
      let (problems, hasOtherFeatures) = states.alignRestored(with: attached.codes)
      if hasOtherFeatures { ReductionByFeatures.wasMade() }
      reportLater(problems)
    case .leaving where states.isAlignedRestored: break
    case .leaving, .lasting:
      if states.revision == attached.revision { return true }
      // A kept state is aligned when the next action is recorded. The history keeps a state that it
      // leaves after this call.
      if alignment.purpose == .lasting { Self.alignments.wrappingAdd(1, ordering: .relaxed) }
      reportLater(states.align(with: attached.codes, as: attached.revision))
    }
    return true
  }

  /// Reports problems after the store's lock was released.
  private func reportLater(_ problems: [FeatureError]) {
    if problems.isEmpty { return }
    contents.withLock { $0.problems += problems }
    scope.withLock { $0 }?.start { [self] in reportProblems() }
  }

  private func reportProblems() {
    let problems = contents.withLock { contents in
      defer { contents.problems = [] }
      return contents.problems
    }
    for problem in problems { onProblem(problem) }
  }

  @inline(never)
  private func change(_ states: inout FeatureStates, _ action: any Action) {
    switch action {
    case let action as FeatureAttached where action.runs === self: attach(action, to: &states)
    case let action as FeatureDetached where action.runs === self:
      ReductionByPlugin.wasMade()
      let before = states
      states.detach(action.attachment, keepingState: action.keepsState, as: action.change)
      noteChange(of: &states, before: before)
    default: return
    }
  }

  private func attach(_ action: FeatureAttached, to states: inout FeatureStates) {
    ReductionByPlugin.wasMade()
    let isRunning = Recomputation.isRunning
    // A middleware can pass the action on after its dispatch. The attachment has ended then.
    guard isRunning || contents.withLock({ $0.attachments[action.attachment] != nil }) else { return }
    let before = states
    // The kept state shows the type of a detached feature. A table of types by names would grow
    // with each name, because a program can create the names of features.
    if !isRunning, states.hasState(ofOtherTypeThan: action.code) { Misuse.featureWithTwoTypes(action.name) }
    let problem = states.attach(action.code, as: action.attachment)
    if let problem, !isRunning { contents.withLock { $0.problems.append(problem) } }
    noteChange(of: &states, before: before)
  }

  /// Records the attached features after a change, unless a history repeats the change.
  private func noteChange(of states: inout FeatureStates, before: FeatureStates) {
    if Recomputation.isCheck { return }
    if Recomputation.isRunning { states.revision = .repeated } else { record(states, before: before) }
  }

  private func record(_ states: FeatureStates, before: FeatureStates) {
    let new = AttachedFeatures(codes: states.attached, revision: states.revision)
    revision.store(new.revision.rawValue, ordering: .relaxed)
    let (old, late) = contents.withLock { contents in
      // The work of the attachments belongs to the runs, so the attachments are ended first.
      let ended = contents.attachments.values.filter { $0.update(to: new.codes) }
      for run in contents.runs.values { run.update(to: new.codes, by: new.revision, before: before) }
      defer { (contents.previous, contents.current) = (contents.current, new) }
      return (contents.previous, ended.filter { !$0.isBeingDetached })
    }
    withExtendedLifetime(old) {}
    if late.isEmpty { return }
    // A middleware has passed the action on after its dispatch, so no caller ends the attachments.
    scope.withLock { $0 }?.start { [self] in
      for attachment in late { settle(attachment, after: new.revision) }
    }
  }

  /// Releases all features, after the store has been released.
  ///
  /// - Parameter states: The last states of the features.
  @usableFromInline
  func end(with states: FeatureStates?) {
    _ = scope.exchange(nil)
    let old = contents.exchange(Contents())
    for attachment in old.attachments.values {
      _ = attachment.update(to: [])
      attachment.end()
    }
    for run in old.runs.values { run.storeEnded(with: states) }
  }
}
