public import FluxCore
import Synchronization

/// The attached features of a store, outside its state.
///
/// The state contains the reducers of the attached features, and undo, restoring, and time travel
/// can replace the state. This object contains the features that must be attached, and aligns the
/// state with them before the next action.
@usableFromInline
final class FeatureRuns: Sendable {
  private struct Entry: Sendable {
    let run: FeatureRun
    /// A closure that removes the middleware of the feature.
    let remove: @Sendable () -> Void
    /// A Boolean value that indicates whether the action that attaches the feature has not yet
    /// been handled.
    var isPending = true
  }

  private struct Contents: Sendable {
    /// The features that the state must contain.
    var current = AttachedFeatures()
    /// The features that the state had to contain before the last change.
    var previous = AttachedFeatures()
    var attachments: [FeatureNumber: FeatureAttachment] = [:]
    var entries: [FeatureNumber: Entry] = [:]
    var problems: [FeatureError] = []
    /// The types of the features' states by the names of the features.
    var types: [String: ObjectIdentifier] = [:]
  }

  /// The attached features after a change.
  private struct AttachedFeatures: Sendable {
    var codes: [AttachedCode] = []
    var revision = FeatureNumber.none
  }

  private let contents = Locked(Contents())
  /// The number of the last change to the attached features.
  private let revision = Atomic<UInt64>(FeatureNumber.none.rawValue)
  /// A Boolean value that indicates whether a feature was ever attached.
  private let hasFeatures = Atomic(false)
  private let onProblem: @Sendable (FeatureError) -> Void
  /// The scope of the store, in which problems are reported that occur under the store's lock.
  private let scope = Locked<EffectScope?>(nil)

  @usableFromInline
  init(onProblem: @escaping @Sendable (FeatureError) -> Void) {
    self.onProblem = onProblem
  }

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

  /// Adds an attachment and the run of its feature, before the action that attaches the feature
  /// is dispatched.
  ///
  /// - Parameters:
  ///   - attachment: The attachment.
  ///   - run: The run, which becomes active if the feature is not attached yet.
  ///   - type: The type of the feature's state.
  ///   - remove: A closure that removes the middleware of the feature.
  func add(
    _ attachment: FeatureAttachment, _ run: FeatureRun, ofStateType type: Any.Type,
    remove: @escaping @Sendable () -> Void
  ) {
    let known = contents.withLock { contents in
      contents.attachments[attachment.number] = attachment
      contents.entries[run.code.id] = Entry(run: run, remove: remove)
      return contents.types.updateValue(ObjectIdentifier(type), forKey: run.code.name)
    }
    if let known, known != ObjectIdentifier(type) { Misuse.featureWithTwoTypes(run.code.name) }
    hasFeatures.store(true, ordering: .relaxed)
  }

  /// Ends attachments and runs that are not needed, after an action of an attachment was
  /// dispatched, and reports the problems that occurred under the store's lock.
  ///
  /// - Parameters:
  ///   - attachment: The attachment.
  ///   - run: The run that the action could have made active, or `nil` if the action removed the
  ///     attachment.
  ///   - change: The number of the change that the action could have made.
  func settle(
    _ attachment: FeatureAttachment, _ run: FeatureRun? = nil, after change: FeatureNumber
  ) {
    let (idle, problems, previous) = contents.withLock { contents in
      let previous = contents.previous
      // After a later change, the development checks may still need the features before it.
      if contents.current.revision == change { contents.previous = AttachedFeatures() }
      defer { contents.problems = [] }
      if let run { contents.entries[run.code.id]?.isPending = false }
      if !attachment.isAttached { contents.attachments[attachment.number] = nil }
      let idle = contents.entries.values.filter { !$0.isPending && !$0.run.isActive }
      for entry in idle { contents.entries[entry.run.code.id] = nil }
      return (idle, contents.problems, previous)
    }
    withExtendedLifetime(previous) {}
    if !attachment.isAttached { attachment.end() }
    for entry in idle { entry.remove() }
    for problem in problems { onProblem(problem) }
  }

  /// Reports a problem outside the store's lock.
  func report(_ problem: FeatureError) {
    onProblem(problem)
  }

  // MARK: Reducing

  /// Reduces an action with the reducers of the attached features, under the store's lock.
  @usableFromInline
  func reduce(_ states: inout FeatureStates, _ action: any Action) {
    if states.revision.rawValue != revision.load(ordering: .relaxed) { align(&states, before: action) }
    if isFeatureChange(action) { change(&states, action) }
    guard ReductionByPlugin.isFollowed else { return states.reduce(action) }
    let before = states
    states.reduce(action)
    if before != states { ReductionByPlugin.wasMade() }
  }

  /// Attaches the features that the states must contain.
  ///
  /// If a history reduces actions again, the states contain the features that were attached at
  /// that time. Imported states contain no features, so the present features reduce the actions
  /// again. The development checks reduce the newest action again, with the state before it.
  @inline(never)
  private func align(_ states: inout FeatureStates, before action: any Action) {
    let isCheck = Recomputation.isCheck
    if Recomputation.isRunning, !isCheck, states.revision != .imported { return }
    let isChange = isCheck && isFeatureChange(action)
    let attached = contents.withLock { isChange ? $0.previous : $0.current }
    if states.revision == attached.revision { return }
    let problems = states.align(with: attached.codes, as: attached.revision)
    if problems.isEmpty || Recomputation.isRunning { return }
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
      states.detach(action.attachment, keepingState: action.keepsState, as: action.change)
      noteChange(of: &states)
    default: return
    }
  }

  private func attach(_ action: FeatureAttached, to states: inout FeatureStates) {
    ReductionByPlugin.wasMade()
    let isRunning = Recomputation.isRunning
    // A middleware can pass the action on after its dispatch. The attachment has ended then.
    guard isRunning || contents.withLock({ $0.attachments[action.attachment] != nil }) else { return }
    let problem = states.attach(action.code, as: action.attachment)
    if let problem, !isRunning { contents.withLock { $0.problems.append(problem) } }
    noteChange(of: &states)
  }

  /// Records the attached features after a change, unless a history repeats the change.
  private func noteChange(of states: inout FeatureStates) {
    if Recomputation.isCheck { return }
    if Recomputation.isRunning { states.revision = .repeated } else { record(states) }
  }

  private func record(_ states: FeatureStates) {
    let new = AttachedFeatures(codes: states.attached, revision: states.revision)
    revision.store(new.revision.rawValue, ordering: .relaxed)
    let (old, late) = contents.withLock { contents in
      for entry in contents.entries.values { entry.run.update(to: new.codes) }
      let ended = contents.attachments.values.filter { $0.update(to: new.codes) }
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
  @usableFromInline
  func end() {
    _ = scope.exchange(nil)
    let old = contents.exchange(Contents())
    for attachment in old.attachments.values {
      _ = attachment.update(to: [])
      attachment.end()
    }
    for entry in old.entries.values { entry.remove() }
  }
}
