/// The choices of one order: first the choices of a plan, and then first come, first served or
/// random choices.
struct OrderChooser: Sendable {
  /// The reason why the choices of a plan cannot be made.
  enum Mismatch: Hashable, Sendable {
    /// The events at a choice differ from the events when the plan was made.
    case otherEvents(choice: Int, events: [PendingEvent])
    /// A replay requires an event that is not pending.
    case missingEvent(choice: Int)
    /// The order ended before all choices of the plan were made.
    case tooShort
  }

  private enum Rule: Sendable {
    case plan(OrderSearch.Plan)
    case random(SeededNumbers)
    case replay(ReplayText)
  }

  private var rule: Rule
  private(set) var choices: [OrderSearch.Choice] = []
  private(set) var mismatch: Mismatch?

  init(_ plan: OrderSearch.Plan) { rule = .plan(plan) }
  init(seed: UInt64) { rule = .random(SeededNumbers(seed: seed)) }
  init(_ replay: ReplayText) { rule = .replay(replay) }

  /// A Boolean value that indicates whether the identity of a moment is used.
  var usesMoments: Bool { if case .plan = rule { true } else { false } }

  /// Chooses one of at least two events, and returns its index.
  mutating func choose(_ events: [PendingEvent], moment: OrderSearch.Moment?) -> Int {
    let fingerprint = events.reduce(0) { ($0 &* 31) ^ $1.hash }
    let chosen = index(in: events, fingerprint)
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
    case .replay(let replay):
      guard let hash = replay.deviations[position] else { return 0 }
      if let index = events.firstIndex(where: { ReplayText.hash(of: $0) == hash }) { return index }
      fail(.missingEvent(choice: position))
      return 0
    }
  }

  /// Records that the order has ended.
  mutating func end() {
    let least =
      switch rule {
      case .plan(let plan): plan.choices.count
      case .random: 0
      case .replay(let replay): (replay.deviations.keys.max() ?? -1) + 1
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
  /// The hash of the chosen event for each choice that is a deviation from first come, first
  /// served.
  var deviations: [Int: UInt32] = [:]

  init() {}

  /// Creates the deviations that a text describes, or returns `nil` if the text is not a replay.
  init?(_ text: String) {
    guard text.hasPrefix("order") else { return nil }
    for part in text.dropFirst("order".count).split(separator: "-") {
      let fields = part.split(separator: ":")
      guard fields.count == 2, let choice = Int(fields[0]), choice >= 0,
        let hash = UInt32(fields[1], radix: 36)
      else { return nil }
      deviations[choice] = hash
    }
  }

  static func hash(of event: PendingEvent) -> UInt32 { UInt32(truncatingIfNeeded: event.hash) }

  var text: String {
    "order"
      + deviations.sorted { $0.key < $1.key }
      .map { "-\($0.key):\(String($0.value, radix: 36))" }.joined()
  }
}
