/// The choices of one order: first the choices of a plan, and then first come, first served or
/// random choices.
struct OrderChooser: Sendable {
  /// The reason why the choices of a plan cannot be made.
  enum Mismatch: Hashable, Sendable {
    /// The events at a choice differ from the events when the plan was made.
    case otherEvents(choice: Int, events: [PendingEvent])
    /// The events at a choice, or at earlier choices, differ from the events of a replay.
    case otherPast(choice: Int)
    /// A replay requires an event that is not pending.
    case missingEvent(choice: Int)
    /// The order ended before all choices of the plan were made.
    case tooShort
  }

  private enum Rule: Sendable {
    case plan(OrderSearch.Plan)
    case random(SeededNumbers)
    case replay(ReplayText)
    /// Deviations that wait until their events are pending.
    case deviations([ReplayText.Deviation])
    /// Events other than steps, which happen in this order while no step is ready.
    case events([PendingEvent])
  }

  private var rule: Rule
  private(set) var choices: [OrderSearch.Choice] = []
  private(set) var mismatch: Mismatch?
  /// A hash of the names of the pending events at all choices so far.
  private(set) var past: UInt64 = 0

  /// The sum of the costs of the deviations so far.
  var cost: Int { choices.reduce(0) { $0 + ($1.chosen == 0 ? 0 : $1.costs[$1.chosen]) } }

  /// The moments after which the search cuts orders.
  private var visited: Set<OrderSearch.Moment> = []
  /// A Boolean value that indicates whether the order has reached a visited moment.
  private var isVisited = false

  init(_ plan: OrderSearch.Plan, visited: Set<OrderSearch.Moment> = []) {
    rule = .plan(plan)
    self.visited = visited
  }
  init(seed: UInt64) { rule = .random(SeededNumbers(seed: seed)) }
  init(_ replay: ReplayText) { rule = .replay(replay) }

  /// Creates a chooser for some of the deviations of an order.
  ///
  /// Without the other deviations, an event can become pending later. Its deviation then applies to
  /// a later choice.
  init(_ deviations: [ReplayText.Deviation]) { rule = .deviations(deviations) }

  /// Creates a chooser that performs steps first come, first served, and other events in the order
  /// of a list.
  init(inOrder events: [PendingEvent]) { rule = .events(events) }

  /// A Boolean value that indicates whether the search uses the identity of the moment of the next
  /// choice.
  ///
  /// The search has the choices of the plan already, and cuts all choices after a visited moment.
  var usesMoments: Bool {
    if case .plan(let plan) = rule { choices.count >= plan.choices.count && !isVisited } else { false }
  }

  /// Chooses one of at least two events, and returns its index.
  mutating func choose(_ events: [PendingEvent], moment: OrderSearch.Moment?) -> Int {
    let fingerprint = events.reduce(0) { ($0 &* 31) ^ $1.hash }
    past = (past ^ fingerprint) &* 0x0100_0000_01b3
    let chosen = index(in: events, fingerprint)
    if let moment, visited.contains(moment) { isVisited = true }
    choices.append(
      OrderSearch.Choice(
        costs: events.map(\.cost), chosen: chosen, fingerprint: fingerprint, moment: moment))
    return chosen
  }

  private mutating func index(in events: [PendingEvent], _ fingerprint: UInt64) -> Int {
    let position = choices.count
    switch rule {
    case .plan(let plan):
      guard position < plan.choices.count else { return 0 }
      if plan.fingerprints[position] != fingerprint { fail(.otherEvents(choice: position, events: events)) }
      return min(plan.choices[position], events.count - 1)
    case .random(var numbers):
      defer { rule = .random(numbers) }
      return Int(numbers.next() % UInt64(events.count))
    case .deviations(var deviations):
      for (place, deviation) in deviations.enumerated() where deviation.choice <= position {
        guard let index = events.firstIndex(where: { ReplayText.hash(of: $0) == deviation.event })
        else { continue }
        deviations.remove(at: place)
        rule = .deviations(deviations)
        return index
      }
      return 0
    case .events(var order):
      guard !events[0].isStep, let place = order.firstIndex(where: events.contains) else { return 0 }
      defer { rule = .events(order) }
      return events.firstIndex(of: order.remove(at: place)) ?? 0
    case .replay(let replay):
      guard let hash = replay.event(at: position) else { return 0 }
      defer {
        if replay.deviations.last?.choice == position, replay.past != ReplayText.short(past) {
          fail(.otherPast(choice: position))
        }
      }
      if let index = events.firstIndex(where: { ReplayText.hash(of: $0) == hash }) { return index }
      fail(.missingEvent(choice: position))
      return 0
    }
  }

  /// Records that the event of the last choice is independent of the other events.
  mutating func chosenEventIsIndependent() { choices[choices.count - 1].isIndependent = true }

  /// Records that the order has ended.
  mutating func end() {
    // The search can change its set without copying it.
    visited = []
    let least =
      switch rule {
      case .plan(let plan): plan.choices.count
      case .random, .deviations, .events: 0
      case .replay(let replay): (replay.deviations.last?.choice ?? -1) + 1
      }
    if choices.count < least { fail(.tooShort) }
  }

  private mutating func fail(_ mismatch: Mismatch) {
    if self.mismatch == nil { self.mismatch = mismatch }
  }
}

/// Random numbers that depend only on a seed (SplitMix64).
struct SeededNumbers: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

/// The deviations of an order as text, which repeats the order in another process.
struct ReplayText: Hashable, Sendable {
  /// A choice that is a deviation from first come, first served.
  struct Deviation: Hashable, Sendable {
    /// The number of earlier choices.
    let choice: Int
    /// The hash of the chosen event.
    let event: UInt32
  }

  /// The deviations, in their order.
  private(set) var deviations: [Deviation] = []
  /// A hash of the names of the pending events at all choices up to the last deviation.
  ///
  /// An order without deviations fits every test, because it is the first order of every test.
  private(set) var past: UInt32 = 0

  init() {}

  /// Creates the deviations that a text describes, or returns `nil` if the text is not a replay.
  init?(_ text: String) {
    guard text.hasPrefix("order") else { return nil }
    var parts = text.dropFirst("order".count).split(separator: "-")
    guard let last = parts.popLast() else { return }
    guard let past = UInt32(last, radix: 36), !parts.isEmpty else { return nil }
    self.past = past
    for part in parts {
      let fields = part.split(separator: ":")
      guard fields.count == 2, let choice = Int(fields[0]), choice >= 0,
        let hash = UInt32(fields[1], radix: 36)
      else { return nil }
      guard choice > deviations.last?.choice ?? -1 else { return nil }
      deviations.append(Deviation(choice: choice, event: hash))
    }
  }

  /// Returns the hash of the chosen event if a choice is a deviation.
  func event(at choice: Int) -> UInt32? { deviations.first { $0.choice == choice }?.event }

  /// Adds a deviation, which follows all other deviations.
  ///
  /// - Parameters:
  ///   - choice: The number of earlier choices.
  ///   - event: The chosen event.
  ///   - past: The hash of the names of the pending events at all choices so far.
  mutating func deviate(at choice: Int, to event: PendingEvent, past: UInt64) {
    deviations.append(Deviation(choice: choice, event: Self.hash(of: event)))
    self.past = Self.short(past)
  }

  static func short(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ (hash >> 32)) }

  static func hash(of event: PendingEvent) -> UInt32 { UInt32(truncatingIfNeeded: event.hash) }

  /// The text, for example `order-2:ikztbh-1b2c3d` for a deviation at the third choice.
  var text: String {
    guard !deviations.isEmpty else { return "order" }
    let parts = deviations.map { "\($0.choice):\(String($0.event, radix: 36))" }
    return (["order"] + parts + [String(past, radix: 36)]).joined(separator: "-")
  }
}
