import Testing

@testable import FluxNavigation

/// The rules of the scopes of screens, in every interleaving of small programs.
///
/// A navigation is one step, because a reduction and the end of the scopes happen under one lock.
/// A dispatch in a scope has two steps: its beginning, and its reduction.
@Suite("Scopes of screens")
struct ScreenScopesTests {
  enum Step: Sendable {
    /// A caller asks for the scope of a screen, and keeps it.
    case open(ScreenID)
    /// The caller dispatches an action in its scope.
    case begin
    /// The action of the caller is reduced.
    case reduce
    case navigate(@Sendable (inout RouteStack<Place>) -> Void)
    /// An undo of all navigation.
    case restore
  }

  enum Mistake: CaseIterable {
    case checksOnlyAtBeginning, ignoresRoutes, endsLater, keepsGone, createsTwice, endsAll, opensGone
  }

  struct Model {
    struct Caller {
      var scope: Int?
      /// The appearance of the screen whose scope the caller has.
      var appearance: Int?
      var hasBegun = false
    }

    let mistake: Mistake?
    var routes = RouteStack(root: Place.list)
    let first = RouteStack(root: Place.list)
    var scopes = ScreenScopes<Place, Int>()
    var callers: [Caller]
    var made = 0
    var ended: Set<Int> = []
    var endingLater: Set<Int> = []
    /// The appearances of the screens that exist, with their routes.
    var appearances: [ScreenID: (number: Int, route: Place)] = [:]
    var seen = 0
    /// The appearance whose screen each scope belongs to.
    var owner: [Int: Int] = [:]
    var faults: [String] = []

    init(callers: Int, _ mistake: Mistake?) {
      self.mistake = mistake
      self.callers = Array(repeating: Caller(), count: callers)
      noteAppearances()
    }

    /// Gives each screen that was not in the previous state a new appearance.
    mutating func noteAppearances() {
      appearances = appearances.filter { routes[$0.key] == $0.value.route }
      for entry in routes.entries where appearances[entry.id] == nil {
        seen += 1
        appearances[entry.id] = (seen, entry.route)
      }
    }

    mutating func perform(_ step: Step, by caller: Int) {
      switch step {
      case .open(let id): open(id, by: caller)
      case .begin:
        guard let scope = callers[caller].scope else { return }
        callers[caller].hasBegun = !ended.contains(scope)
      case .reduce: reduce(by: caller)
      case .navigate(let change): changeRoutes { change(&$0) }
      case .restore: changeRoutes { [first] in $0 = first }
      }
    }

    private mutating func open(_ id: ScreenID, by caller: Int) {
      guard let route = routes[id] ?? (mistake == .opensGone ? .about : nil) else { return }
      if mistake == .createsTwice { scopes = ScreenScopes() }
      let number = made + 1
      let scope = scopes.scope(of: RouteEntry(route, id: id)) { number }
      if scope == number {
        made = number
        owner[scope] = appearances[id]?.number
      }
      callers[caller].scope = scope
      callers[caller].appearance = appearances[id]?.number
      if ended.contains(scope) { faults.append("a scope that has ended was opened") }
      if owner[scope] != appearances[id]?.number { faults.append("a scope has two screens") }
    }

    private mutating func reduce(by caller: Int) {
      guard callers[caller].hasBegun, let scope = callers[caller].scope else { return }
      callers[caller].hasBegun = false
      let isRefused = ended.contains(scope) && mistake != .checksOnlyAtBeginning
      let exists = appearances.values.contains { $0.number == callers[caller].appearance }
      if exists == isRefused { faults.append(exists ? "an action was lost" : "a late action was reduced") }
      endLater()
    }

    private mutating func changeRoutes(_ change: (inout RouteStack<Place>) -> Void) {
      let before = routes
      change(&routes)
      let after = routes
      noteAppearances()
      var kept = scopes
      let gone = scopes.removeGone { id in
        switch mistake {
        case .ignoresRoutes: after[id] == nil ? nil : before[id] ?? after[id]
        case .endsAll: nil
        default: after[id]
        }
      }
      if mistake == .keepsGone { swap(&scopes, &kept) }
      if mistake == .endsLater { endingLater.formUnion(gone) } else { ended.formUnion(gone) }
    }

    private mutating func endLater() {
      ended.formUnion(endingLater)
      endingLater = []
    }

    /// Checks the scopes after all steps.
    mutating func finish() {
      let existing = Set(appearances.values.map(\.number))
      for (scope, appearance) in owner where !existing.contains(appearance) && !ended.contains(scope) {
        if !endingLater.contains(scope) { faults.append("a scope was not ended") }
      }
      if scopes.count > existing.count { faults.append("a scope of a screen that is gone was kept") }
    }
  }

  private static let film = ScreenID(1)

  /// The programs, each with the steps of its callers.
  private static let programs: [[[Step]]] = {
    let push: Step = .navigate { $0.push(.film(7)) }
    let pushOther: Step = .navigate { $0.push(.about) }
    let pop: Step = .navigate { $0.pop() }
    let reset: Step = .navigate { $0 = RouteStack(root: .about) }
    let use: [Step] = [.open(film), .begin, .reduce, .begin, .reduce]
    let useRoot: [Step] = [.open(ScreenID(0)), .begin, .reduce]
    let replaceByOther: Step = .navigate { stack in
      stack = RouteStack(root: .list)
      stack.push(.about)
    }
    return [
      [[push, pop], use],
      [[push, pop, push], use],
      [[push, .restore, push], use],
      [[push, .restore, pushOther], use],
      [[push, replaceByOther], use],
      [[push, pop], use, use.dropLast(2)],
      [[push], [reset], use.dropLast(2), useRoot],
      [[reset, push], useRoot, useRoot],
    ].map { $0.map { Array($0) } }
  }()

  /// Performs a program in every order, and returns the faults and the number of orders.
  private static func explore(_ program: [[Step]], _ mistake: Mistake?) -> (faults: Set<String>, orders: Int)
  {
    var (faults, orders) = (Set<String>(), 0)
    func proceed(_ model: Model, _ next: [Int]) {
      var isDone = true
      for caller in program.indices where next[caller] < program[caller].count {
        isDone = false
        var (model, next) = (model, next)
        model.perform(program[caller][next[caller]], by: caller)
        next[caller] += 1
        proceed(model, next)
      }
      guard isDone else { return }
      var model = model
      model.finish()
      orders += 1
      faults.formUnion(model.faults)
    }
    proceed(Model(callers: program.count, mistake), program.map { _ in 0 })
    return (faults, orders)
  }

  @Test("in every order, the actions of a screen are reduced exactly while the screen exists")
  func allOrders() {
    var orders = 0
    for program in Self.programs {
      let result = Self.explore(program, nil)
      #expect(result.faults.isEmpty)
      orders += result.orders
    }
    #expect(orders > 4_000)
  }

  @Test("the exploration finds each planted mistake", arguments: Mistake.allCases)
  func mistakes(mistake: Mistake) {
    #expect(Self.programs.contains { !Self.explore($0, mistake).faults.isEmpty })
  }
}
