@testable import FluxAsync

/// The rules of kept work, with at most one planted mistake.
struct KeptRulesUnderTest: Hashable {
  enum Mistake: CaseIterable {
    case replacesWithoutCanceling
    case forgetsToCancel
    case doesNotWait
    case keepsOlderKey
    case keepsKeyThatHasGone
    case cancelsAgain
    case startsNothingAfterDispatches
    case forgetsStartedWork
    case staysEndingWithoutKey
  }

  private var rules = KeptWorkRules<Int>()
  let mistake: Mistake?

  init(_ mistake: Mistake?) {
    self.mistake = mistake
  }

  var isIdle: Bool { rules.isIdle }

  mutating func keyChanged(to next: Int?) -> KeptWorkRules<Int>.Step {
    switch (mistake, rules.phase, next) {
    case (.replacesWithoutCanceling, .running, let next?), (.doesNotWait, .ending, let next?):
      rules.phase = .running(next)
      return .start(next)
    case (.forgetsToCancel, .running, nil):
      rules.phase = .idle
      return .nothing
    case (.keepsOlderKey, .ending(_, .some), .some), (.keepsKeyThatHasGone, .ending, nil):
      return .nothing
    case (.cancelsAgain, .ending(let work, _), _):
      rules.phase = .ending(work, next: next)
      return .cancel(work)
    default: return rules.keyChanged(to: next)
    }
  }

  mutating func dispatchesEnded() -> Int? {
    switch (mistake, rules.phase) {
    case (.startsNothingAfterDispatches, .ending(_, .some)):
      rules.phase = .idle
      return nil
    case (.forgetsStartedWork, .ending(_, let next?)):
      rules.phase = .idle
      return next
    case (.staysEndingWithoutKey, .ending(_, nil)): return nil
    default: return rules.dispatchesEnded()
    }
  }
}

/// One key's work, with the thread that delivers commits and the tasks of the work, at one moment
/// between two steps.
struct KeptWorkModel: Hashable {
  /// The work for the key that a commit has set.
  struct Run: Hashable {
    var isStarted = false
    var isCanceled = false
    var isDispatching = false
    var dispatches = 2
  }

  /// A rule that the work has broken.
  struct Violation: Error, Hashable {
    let rule: String
  }

  private var rules: KeptRulesUnderTest
  /// Whether each commit sets a key, in commit order.
  private let commits: [Bool]
  private var delivered = 0
  /// The instruction that the delivering thread carries out outside the lock.
  private var step = KeptWorkRules<Int>.Step.nothing
  private var runs: [Run]
  /// The canceled work for which tasks wait until it dispatches nothing.
  private var waiting: [Int] = []
  /// The work that such tasks are about to start.
  private var starting: [Int] = []
  private var lastDispatching = 0

  init(commits: [Bool], _ mistake: KeptRulesUnderTest.Mistake?) {
    rules = KeptRulesUnderTest(mistake)
    self.commits = commits
    runs = commits.map { _ in Run() }
  }

  /// Returns all moments that can follow this moment.
  func successors() throws(Violation) -> [KeptWorkModel] {
    var next: [KeptWorkModel] = []
    func branch(_ act: (inout KeptWorkModel) throws(Violation) -> Void) throws(Violation) {
      var copy = self
      try act(&copy)
      next.append(copy)
    }
    if step != .nothing {
      try branch { model throws(Violation) in try model.carryOut() }
    } else if delivered < commits.count {
      try branch { model throws(Violation) in model.deliver() }
    }
    for index in waiting.indices where !runs[waiting[index]].isDispatching {
      try branch { model throws(Violation) in model.endDispatches(index) }
    }
    for index in starting.indices {
      try branch { model throws(Violation) in try model.start(model.starting.remove(at: index)) }
    }
    for run in runs.indices where runs[run].isStarted {
      if runs[run].isDispatching {
        try branch { model throws(Violation) in model.runs[run].isDispatching = false }
      } else if !runs[run].isCanceled, runs[run].dispatches > 0 {
        try branch { model throws(Violation) in try model.dispatch(run) }
      }
    }
    if next.isEmpty { try checkEnd() }
    return next
  }

  private mutating func deliver() {
    let run = delivered
    delivered += 1
    let response = rules.keyChanged(to: commits[run] ? run : nil)
    step = response
  }

  private mutating func carryOut() throws(Violation) {
    let step = step
    self.step = .nothing
    switch step {
    case .nothing: break
    case .start(let run): try start(run)
    case .cancel(let run):
      if runs[run].isCanceled { throw Violation(rule: "Work is canceled once.") }
      runs[run].isCanceled = true
      waiting.append(run)
    }
  }

  private mutating func endDispatches(_ index: Int) {
    waiting.remove(at: index)
    let next = rules.dispatchesEnded()
    if let next { starting.append(next) }
  }

  private mutating func start(_ run: Int) throws(Violation) {
    if runs[run].isStarted { throw Violation(rule: "Work starts once.") }
    // A canceled scope starts nothing.
    if !runs[run].isCanceled { runs[run].isStarted = true }
  }

  private mutating func dispatch(_ run: Int) throws(Violation) {
    if run < lastDispatching || runs.contains(where: \.isDispatching) {
      throw Violation(rule: "No action of older work is reduced after an action of newer work.")
    }
    lastDispatching = run
    runs[run].dispatches -= 1
    runs[run].isDispatching = true
  }

  private func checkEnd() throws(Violation) {
    let running = runs.indices.filter { runs[$0].isStarted && !runs[$0].isCanceled }
    let wanted = commits.last == true ? [commits.count - 1] : []
    if running != wanted { throw Violation(rule: "The work of the last key runs, and no other work.") }
    if commits.last == false, !rules.isIdle { throw Violation(rule: "Nothing is kept without a key.") }
  }
}
