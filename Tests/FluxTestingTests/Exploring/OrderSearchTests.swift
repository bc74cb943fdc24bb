import Testing

@testable import FluxTesting

@Suite("The search for orders")
struct OrderSearchTests {
  /// A tree of choices, whose leaves are the ends of orders.
  private indirect enum Tree {
    case end
    case choice([Tree], costs: [Int], moment: OrderSearch.Moment? = nil)

    /// A tree in which each choice has a number of events, for a number of choices.
    static func full(_ events: Int, _ depth: Int, costs: [Int]? = nil) -> Tree {
      guard depth > 0 else { return .end }
      return .choice(
        Array(repeating: full(events, depth - 1, costs: costs), count: events),
        costs: costs ?? Array(repeating: 1, count: events))
    }
  }

  /// Performs one order, and returns its choices.
  private func perform(_ plan: OrderSearch.Plan, in tree: Tree) -> [OrderSearch.Choice] {
    var (tree, choices) = (tree, [OrderSearch.Choice]())
    while case .choice(let next, let costs, let moment) = tree {
      let chosen = choices.count < plan.choices.count ? plan.choices[choices.count] : 0
      choices.append(
        OrderSearch.Choice(costs: costs, chosen: chosen, fingerprint: UInt64(choices.count), moment: moment))
      tree = next[chosen]
    }
    return choices
  }

  private func orders(of tree: Tree, _ search: inout OrderSearch) -> [(order: [Int], cost: Int)] {
    var orders: [([Int], Int)] = []
    while let plan = search.next() {
      let choices = perform(plan, in: tree)
      search.record(choices)
      orders.append((choices.map(\.chosen), plan.cost))
    }
    return orders
  }

  @Test("tries each order of a tree once")
  func eachOnce() {
    for (events, depth) in [(1, 3), (2, 1), (2, 5), (3, 4), (4, 3)] {
      var search = OrderSearch()
      let orders = orders(of: .full(events, depth), &search).map(\.order)
      let expected = (0..<depth).reduce(1) { count, _ in count * events }
      #expect(orders.count == expected)
      #expect(Set(orders).count == expected)
      #expect(search.tried == expected)
      #expect(search.cut == 0)
    }
  }

  @Test("begins with first come, first served, and tries orders with low costs first")
  func lowCostsFirst() {
    var search = OrderSearch()
    let costs = orders(of: .full(3, 4, costs: [0, 1, 2]), &search)
    #expect(costs[0].order == [0, 0, 0, 0])
    #expect(costs.map(\.cost) == costs.map(\.cost).sorted())
    #expect(costs.allSatisfy { $0.order.reduce(0, +) == $0.cost })
  }

  @Test("tries the events of equal moments once")
  func equalMoments() {
    let same = OrderSearch.Moment(first: 1, second: 2)
    let end = Tree.choice([.end, .end, .end], costs: [0, 1, 1], moment: same)
    var search = OrderSearch()
    let orders = orders(of: .choice([end, end], costs: [0, 1]), &search).map(\.order)
    #expect(Set(orders) == [[0, 0], [0, 1], [0, 2], [1, 0]])
    #expect(search.cut == 2)
  }

  @Test("does not confuse moments that have one hash in common")
  func otherMoments() {
    let ends = (0..<2).map { number in
      Tree.choice([.end, .end], costs: [0, 1], moment: OrderSearch.Moment(first: 1, second: number))
    }
    var search = OrderSearch()
    #expect(orders(of: .choice(ends, costs: [0, 1]), &search).count == 4)
    #expect(search.cut == 0)
  }

  @Test("tries no other event in place of an independent event")
  func independentEvents() {
    let events = (0..<2).map { number in
      OrderSearch.Choice(
        costs: [0, 1, 1], chosen: 0, fingerprint: 0, moment: nil, isIndependent: number == 0)
    }
    var search = OrderSearch()
    #expect(search.next()?.choices == [])
    search.record(events)
    #expect(search.cut == 2)
    #expect(search.next()?.choices == [0, 1])
    #expect(search.next()?.choices == [0, 2])
    #expect(search.next() == nil)
  }

  @Test("uses the moments after a plan, up to a moment that another order has visited")
  func usedMoments() {
    let moments = (0..<3).map { OrderSearch.Moment(first: $0, second: $0) }
    let events = [PendingEvent(.possible("a")), PendingEvent(.possible("b"))]
    let fingerprint = events.reduce(0) { ($0 &* 31) ^ $1.hash }
    var chooser = OrderChooser(
      OrderSearch.Plan(choices: [1], fingerprints: [fingerprint], cost: 1), visited: [moments[2]])
    #expect(!chooser.usesMoments)
    #expect(chooser.choose(events, moment: nil) == 1)
    #expect(chooser.usesMoments)
    #expect(chooser.choose(events, moment: moments[1]) == 0)
    #expect(chooser.usesMoments)
    #expect(chooser.choose(events, moment: moments[2]) == 0)
    #expect(!chooser.usesMoments)
  }

  @Test("a replay text contains all deviations")
  func replayText() throws {
    var replay = ReplayText()
    #expect(ReplayText(replay.text) == replay)
    for number in [0, 7, 12] {
      replay.deviate(
        at: number, to: PendingEvent(.possible("event \(number)")), past: UInt64(number) << 40)
      #expect(ReplayText(replay.text) == replay)
    }
  }

  @Test("the hash of an event is the same in every process")
  func stableHash() {
    #expect(PendingEvent(.answer(call: "films", outcome: "success")).hash == 15_704_287_754_488_105_771)
  }
}
