import Testing

@testable import FluxMiddleware

/// Explores every order of the events of a feature's plug-ins: two callers attach and detach, the
/// store commits, and a thread delivers the transitions later.
@Suite("The rules for the plug-ins of a feature, in every order")
struct FeatureRunRulesTests {
  /// A mistake of the rules, or of the code that uses them.
  fileprivate enum Mistake: CaseIterable {
    case sharesWhileEnding, endsBeforeTransitions, endsTwice, neverEnds, endsUnderPending
    case missesAttaching, receivesDetaching, receivesOthers, endsWorkUnderPending
  }

  /// A step of a caller: attach, report that the action was handled, and detach.
  fileprivate enum Step: Int {
    case begin, commitAttach, handleAttach, commitDetach, handleDetach
  }

  fileprivate struct Caller: Hashable {
    var next = 0
    /// A Boolean value that indicates whether the caller uses the run, and not another run.
    var usesRun = false
    /// A Boolean value that indicates whether a middleware drops the attaching action.
    let isDropped: Bool
  }

  fileprivate struct Model: Hashable {
    var rules: FeatureRunRules
    var callers: [Caller]
    /// The transitions that were committed and not delivered: the change of the run, or `nil` for
    /// other actions.
    var queue: [Transition] = []
    var attachments = 0
    var number: UInt64 = 0
    /// A Boolean value that indicates whether the delivered transitions are in a period in which
    /// the feature is attached.
    var isInside = false
    var endings = 0
    var hasCancelledWork = false
    var hasBegun = false
    var otherActions = 2
  }

  fileprivate struct Transition: Hashable {
    let change: FeatureNumber?
    /// A Boolean value that indicates whether the feature is attached after the action.
    let isAttached: Bool
  }

  fileprivate struct Fault: Error {
    let text: String
  }

  fileprivate struct Exploration {
    let isObserved: Bool
    let mistake: Mistake?
    var seen: Set<Model> = []
    var ends = 0

    mutating func run(from start: Model) throws(Fault) {
      var open = [start]
      while let model = open.popLast() {
        guard seen.insert(model).inserted else { continue }
        let next = try successors(of: model)
        if next.isEmpty { try check(end: model) }
        open += next
      }
    }

    fileprivate mutating func check(end model: Model) throws(Fault) {
      ends += 1
      if model.endings != 1 { throw Fault(text: "the plug-ins ended \(model.endings) times") }
      if model.rules.isActive { throw Fault(text: "the feature is still attached") }
    }

    private func successors(of model: Model) throws(Fault) -> [Model] {
      var all: [Model] = []
      for index in model.callers.indices where model.callers[index].next < 5 {
        if index > 0, !model.hasBegun { continue }
        var copy = model
        try copy.step(index, self)
        all.append(copy)
      }
      if model.otherActions > 0 {
        var copy = model
        copy.otherActions -= 1
        copy.queue.append(Transition(change: nil, isAttached: copy.attachments > 0))
        all.append(copy)
      }
      if !model.queue.isEmpty {
        var copy = model
        try copy.deliver(self)
        all.append(copy)
      }
      return all
    }
  }

  @Test(
    "the plug-ins receive exactly the transitions while the feature is attached, and end once",
    arguments: [true, false])
  func everyOrder(isObserved: Bool) throws {
    for dropped in [[false, false], [true, false], [false, true], [true, true]] {
      var exploration = Exploration(isObserved: isObserved, mistake: nil)
      try exploration.run(from: Self.start(isObserved, dropped))
      #expect(exploration.ends > 0)
      #expect(exploration.seen.count > 100)
    }
  }

  @Test("each planted mistake is found", arguments: Mistake.allCases)
  fileprivate func planted(mistake: Mistake) {
    var found: String?
    for dropped in [[false, false], [true, false], [false, true]] where found == nil {
      var exploration = Exploration(isObserved: true, mistake: mistake)
      do {
        try exploration.run(from: Self.start(true, dropped))
      } catch {
        found = error.text
      }
    }
    #expect(found != nil)
  }

  @Test("after the store was released, the plug-ins end once and receive nothing")
  func storeEnds() {
    var rules = FeatureRunRules()
    rules.isObserved = true
    let number = FeatureNumber()
    _ = rules.committed(isActive: true, by: number)
    rules.attachmentHandled()
    let ends = [rules.storeEnded(), rules.storeEnded(), rules.finish(), rules.join()]
    #expect(ends == [true, false, false, false])
    let delivery = rules.delivered(number)
    #expect(delivery == .init(isReceived: false, isLast: false))
  }

  fileprivate static func start(_ isObserved: Bool, _ dropped: [Bool]) -> Model {
    var rules = FeatureRunRules()
    rules.isObserved = isObserved
    return Model(rules: rules, callers: dropped.map { Caller(isDropped: $0) })
  }
}

extension FeatureRunRulesTests.Model {
  fileprivate typealias Tests = FeatureRunRulesTests

  fileprivate mutating func step(_ index: Int, _ test: FeatureRunRulesTests.Exploration) throws(Tests.Fault) {
    let step = Tests.Step(rawValue: callers[index].next)!
    callers[index].next += 1
    switch step {
    case .begin:
      if hasBegun {
        callers[index].usesRun = test.mistake == .sharesWhileEnding ? true : rules.join()
        if test.mistake == .endsUnderPending, callers[index].usesRun { rules.attachmentHandled() }
      } else {
        hasBegun = true
        callers[index].usesRun = true
      }
      if callers[index].usesRun, endings > 0 {
        throw Tests.Fault(text: "an attachment uses plug-ins that ended")
      }
    case .commitAttach:
      guard callers[index].usesRun, !callers[index].isDropped else { return }
      attachments += 1
      commit()
      if hasCancelledWork { throw Tests.Fault(text: "the work of an attached feature was canceled") }
    case .handleAttach:
      guard callers[index].usesRun else { return }
      if test.mistake != .endsUnderPending || index == 0 { rules.attachmentHandled() }
      finish(test)
    case .commitDetach:
      guard callers[index].usesRun, !callers[index].isDropped else { return }
      attachments -= 1
      commit()
      if test.mistake == .endsWorkUnderPending, attachments == 0 { hasCancelledWork = true }
    case .handleDetach:
      if callers[index].usesRun { finish(test) }
    }
  }

  /// Commits a change of the attachments, and queues its transition.
  private mutating func commit() {
    number += 1
    let change = FeatureNumber(rawValue: number)
    let isAttached = attachments > 0
    if rules.committed(isActive: isAttached, by: change) { hasCancelledWork = true }
    queue.append(.init(change: change, isAttached: isAttached))
  }

  private mutating func finish(_ test: FeatureRunRulesTests.Exploration) {
    switch test.mistake {
    case .neverEnds: break
    case .endsBeforeTransitions where !rules.isActive && number > 0 && endings == 0: endings += 1
    case .endsTwice where rules.finish(): endings += 2
    default: if rules.finish() { endings += 1 }
    }
  }

  fileprivate mutating func deliver(_ test: FeatureRunRulesTests.Exploration) throws(Tests.Fault) {
    let transition = queue.removeFirst()
    if test.isObserved, endings > 0, isInside {
      throw Tests.Fault(text: "the plug-ins ended before a transition")
    }
    var delivery = rules.delivered(test.isObserved ? transition.change : nil)
    let isAttaching = transition.isAttached && !isInside
    switch test.mistake {
    case .missesAttaching where isAttaching: delivery = .init(isReceived: false, isLast: delivery.isLast)
    case .receivesDetaching where isInside && !transition.isAttached:
      delivery = .init(isReceived: true, isLast: delivery.isLast)
    case .receivesOthers: delivery = .init(isReceived: true, isLast: delivery.isLast)
    default: break
    }
    if delivery.isLast { endings += 1 }
    isInside = transition.isAttached
    guard test.isObserved, delivery.isReceived != isInside else { return }
    throw Tests.Fault(text: isInside ? "a transition was not received" : "a transition was received")
  }
}
