import Testing

@testable import FluxNavigation

/// The rules of pending navigation, in every order of three threads that navigate.
@Suite("Pending navigation")
struct PendingNavigationTests {
  final class Scope: Sendable {
    let index: Int

    init(_ index: Int) {
      self.index = index
    }
  }

  enum Step: CaseIterable {
    case arrives, waits, reduces, finishes
  }

  enum Mistake: CaseIterable {
    case alwaysWaits, neverEnds, finishesAll, neverFinishes, neverWaits, reducesEnded
  }

  struct Model {
    let mistake: Mistake?
    var pending = PendingNavigation<Scope>()
    var numbers: [Int: UInt64] = [:]
    var waiting: Set<Int> = []
    var ended: Set<Int> = []
    var arrived: [Int] = []
    var reduced: [Int] = []
    var faults: Set<String> = []

    mutating func perform(_ step: Step, of thread: Int) {
      switch step {
      case .arrives:
        let (number, older) = pending.arrive()
        numbers[thread] = number
        arrived.append(thread)
        if let older, mistake != .neverEnds { ended.insert(older.index) }
      case .waits:
        guard mistake != .neverWaits else { return }
        let number = mistake == .alwaysWaits ? numbers.values.max()! : numbers[thread]!
        if pending.wait(number, in: Scope(thread)) { waiting.insert(thread) }
      case .reduces:
        let isEnded = ended.contains(thread) && mistake != .reducesEnded
        let isNewest = arrived.last == thread
        let isReduced = waiting.contains(thread) && !isEnded
        if isReduced { reduced.append(thread) }
        if isReduced, !isNewest { faults.insert("an older navigation was reduced") }
        if !isReduced, isNewest { faults.insert("the newest navigation was lost") }
      case .finishes:
        guard waiting.contains(thread), mistake != .neverFinishes else { return }
        let number = mistake == .finishesAll ? numbers.values.max()! : numbers[thread]!
        let scope = pending.finish(number)
        if let scope, scope.index != thread { faults.insert("another navigation was finished") }
      }
    }

    mutating func finish() {
      if pending.scope != nil { faults.insert("a navigation remained pending") }
    }
  }

  private static func explore(_ mistake: Mistake?) -> (faults: Set<String>, orders: Int) {
    var (faults, orders) = (Set<String>(), 0)
    func proceed(_ model: Model, _ next: [Int]) {
      for thread in next.indices where next[thread] < Step.allCases.count {
        var (model, next) = (model, next)
        model.perform(Step.allCases[next[thread]], of: thread)
        next[thread] += 1
        proceed(model, next)
      }
      guard next.allSatisfy({ $0 == Step.allCases.count }) else { return }
      var model = model
      model.finish()
      orders += 1
      faults.formUnion(model.faults)
    }
    proceed(Model(mistake: mistake), [0, 0, 0])
    return (faults, orders)
  }

  @Test("in every order, the newest navigation is reduced, and no older one is reduced after its arrival")
  func allOrders() {
    let result = Self.explore(nil)
    #expect(result.faults.isEmpty)
    #expect(result.orders == 34_650)
  }

  @Test("the exploration finds each planted mistake", arguments: Mistake.allCases)
  func mistakes(mistake: Mistake) {
    #expect(!Self.explore(mistake).faults.isEmpty)
  }
}
