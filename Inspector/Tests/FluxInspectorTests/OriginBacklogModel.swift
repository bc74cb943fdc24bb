import FluxInspector

/// A message to a page that shows a log.
enum OriginStep: Hashable {
  /// Lines without their origins.
  case send(ClosedRange<Int>)
  case forgetBefore(Int)
  case forgetAfter(Int)
  /// The page receives the whole log again.
  case clear
}

/// What can happen to an origin.
enum OriginEvent: Hashable, CaseIterable {
  case sent, foundNone, forgottenWaiting, forgottenFinding, forgottenFound, lateResult, sentAgainFinding
}

/// A state of a page's log with a backlog, and the rules that hold in each of them.
struct OriginBacklogModel: InterleavedModel {
  struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }

  enum Choice: Hashable {
    case step, begin, finish, take
  }

  private enum Origin: Hashable {
    case unknown, found, sent
    case none
  }

  private var backlog = OriginBacklog()
  private var program: ArraySlice<OriginStep>
  /// The entries that the page has.
  private var page: [Int: Origin] = [:]
  /// The search that was begun and has not ended, and whether it still counts.
  private var search: (entry: Int, counts: Bool)? {
    get { searched.map { ($0, searchCounts) } }
    set { (searched, searchCounts) = (newValue?.entry, newValue?.counts ?? false) }
  }
  private var searched: Int?
  private var searchCounts = false
  /// A Boolean value that indicates whether nothing more was to begin since the last change.
  private var isIdle = false

  init(_ program: [OriginStep]) {
    self.program = program[...]
  }

  /// Some entries have no origin.
  static func text(of entry: Int) -> String? {
    entry % 3 == 0 ? nil : "origin \(entry)"
  }

  var choices: [Choice] {
    var choices: [Choice] = []
    if !program.isEmpty { choices.append(.step) }
    // The session begins a search when the one before has ended.
    if searched == nil, !isIdle { choices.append(.begin) }
    if searched != nil { choices.append(.finish) }
    if page.values.contains(.found) { choices.append(.take) }
    return choices
  }

  mutating func take(_ choice: Choice, _ events: inout Set<OriginEvent>) throws(Violation) {
    isIdle = false
    switch choice {
    case .step: step(program.removeFirst(), &events)
    case .begin: try begin()
    case .finish: finish(&events)
    case .take: try takeFound(&events)
    }
  }

  private mutating func step(_ step: OriginStep, _ events: inout Set<OriginEvent>) {
    switch step {
    case .send(let entries):
      for entry in entries {
        backlog.add(entry)
        if search?.entry == entry, page[entry] != nil { events.insert(.sentAgainFinding) }
        // An origin that was found and not sent is sent all the same.
        if page[entry] != .found { page[entry] = .unknown }
      }
    case .forgetBefore(let first):
      backlog.forget(before: first)
      forget(&events) { $0 < first }
    case .forgetAfter(let last):
      backlog.forget(after: last)
      forget(&events) { $0 > last }
    case .clear:
      backlog = OriginBacklog()
      forget(&events) { _ in true }
    }
  }

  private mutating func forget(_ events: inout Set<OriginEvent>, _ isGone: (Int) -> Bool) {
    for (entry, origin) in page where isGone(entry) {
      if origin == .found { events.insert(.forgottenFound) }
      if origin == .unknown { events.insert(.forgottenWaiting) }
      page[entry] = nil
    }
    if let search, search.counts, isGone(search.entry) {
      events.insert(.forgottenFinding)
      self.search?.counts = false
    }
  }

  private mutating func begin() throws(Violation) {
    let newest = page.filter { $0.value == .unknown }.keys.max()
    let begun = backlog.begin()
    guard begun == newest else {
      throw Violation("\(String(describing: begun)) is begun, and not \(String(describing: newest))")
    }
    if let begun { search = (begun, true) } else { isIdle = true }
  }

  private mutating func finish(_ events: inout Set<OriginEvent>) {
    guard let (entry, counts) = search else { return }
    let text = Self.text(of: entry)
    backlog.finish(entry, text)
    search = nil
    guard counts else {
      events.insert(.lateResult)
      return
    }
    page[entry] = text == nil ? Origin.none : .found
    if text == nil { events.insert(.foundNone) }
  }

  private mutating func takeFound(_ events: inout Set<OriginEvent>) throws(Violation) {
    let found = backlog.takeFound()
    let expected = page.filter { $0.value == .found }.keys.sorted()
    guard found.map(\.id).sorted() == expected else { throw Violation("\(found) is sent, not \(expected)") }
    for origin in found {
      if origin.origin != Self.text(of: origin.id) { throw Violation("\(origin) is another entry's") }
      page[origin.id] = .sent
      events.insert(.sent)
    }
  }

  func checkEnd() throws(Violation) {
    for (entry, origin) in page {
      let isRight = Self.text(of: entry) == nil ? origin == Origin.none : origin == .sent
      if !isRight { throw Violation("the page never receives the origin of entry \(entry): \(origin)") }
    }
  }
}
