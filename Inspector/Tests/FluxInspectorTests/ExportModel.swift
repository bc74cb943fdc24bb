import FluxInspector
import Testing

/// An operation of a page in the model; a page performs one at a time.
enum ExportStep: Hashable {
  /// Requests an export whose answer has the given number of bytes.
  case request(Int)
  case leave
}

/// An event of a request for an export.
enum ExportEvent: Hashable, CaseIterable {
  case madeAtOnce, madeAfterWaiting, refusedAtOnce, refusedAfterWaiting
  case leftWaiting, leftMaking, leftWithBytes
}

/// Pages with a program each, which share an export queue.
struct ExportScenario: CustomTestStringConvertible {
  let title: String
  /// The number of bytes that other answers keep throughout.
  var others = 0
  /// Whether pages read the bytes that they receive.
  var reads = true
  let programs: [[ExportStep]]
  let covers: Set<ExportEvent>

  var testDescription: String { title }
}

/// A state of a scenario, with the rules that hold in each of them.
struct ExportModel: InterleavedModel {
  struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }

  enum Choice: Hashable {
    case step(Int), finish, read(Int)
  }

  private enum Phase: Hashable {
    case idle, waiting, making, left
    /// The page left while its export was being made.
    case leftMaking
  }

  private struct Page: Hashable {
    var program: ArraySlice<ExportStep>
    var phase = Phase.idle
    /// The number of bytes of the requested export.
    var size = 0
    /// The number of bytes of unsent answers.
    var kept = 0
  }

  private var queue = ExportQueue<Int>()
  private var memory = PageMemory()
  private var pages: [Page]
  /// The waiting pages, in the order of their requests.
  private var order: [Int] = []
  private let reads: Bool
  private let others: Int

  init(_ scenario: ExportScenario) {
    pages = scenario.programs.map { Page(program: $0[...]) }
    reads = scenario.reads
    others = scenario.others
    _ = memory.take(others)
  }

  private var maker: Int? { pages.firstIndex { $0.phase == .making || $0.phase == .leftMaking } }

  var choices: [Choice] {
    var choices = pages.indices.filter { index in
      switch pages[index].program.first {
      case nil: false
      case .request: pages[index].phase == .idle
      case .leave: true
      }
    }.map(Choice.step)
    if maker != nil { choices.append(.finish) }
    if reads { choices += pages.indices.filter { pages[$0].kept > 0 }.map(Choice.read) }
    return choices
  }

  // MARK: Steps

  mutating func take(_ choice: Choice, _ events: inout Set<ExportEvent>) throws(Violation) {
    switch choice {
    case .step(let page):
      switch pages[page].program.removeFirst() {
      case .request(let size): try request(page, size, &events)
      case .leave: leave(page, &events)
      }
    case .finish: try finish(&events)
    case .read(let page):
      memory.release(pages[page].kept)
      pages[page].kept = 0
    }
    try check()
  }

  private mutating func request(
    _ page: Int, _ size: Int, _ events: inout Set<ExportEvent>
  ) throws(Violation) {
    pages[page].size = size
    pages[page].phase = .waiting
    order.append(page)
    let (isFree, bytes) = (maker == nil, memory.bytes)
    let decision = queue.add(page, in: &memory)
    if isFree == (decision == nil) { throw Violation("a page waits for nothing, or not for its turn") }
    guard let decision else { return }
    try carryOut(decision, with: bytes, made: .madeAtOnce, refused: .refusedAtOnce, &events)
  }

  private mutating func leave(_ page: Int, _ events: inout Set<ExportEvent>) {
    if pages[page].kept > 0 { events.insert(.leftWithBytes) }
    memory.release(pages[page].kept)
    pages[page].kept = 0
    queue.remove(page)
    order.removeAll { $0 == page }
    switch pages[page].phase {
    case .making:
      events.insert(.leftMaking)
      pages[page].phase = .leftMaking
    case .waiting:
      events.insert(.leftWaiting)
      pages[page].phase = .left
    case .idle, .left, .leftMaking:
      pages[page].phase = .left
    }
  }

  private mutating func finish(_ events: inout Set<ExportEvent>) throws(Violation) {
    guard let maker else { return }
    let hasLeft = pages[maker].phase == .leftMaking
    pages[maker].phase = hasLeft ? .left : .idle
    pages[maker].kept += hasLeft ? 0 : pages[maker].size
    let decisions = queue.finish(keeping: hasLeft ? 0 : pages[maker].size, in: &memory)
    for decision in decisions {
      try carryOut(decision, with: kept, made: .madeAfterWaiting, refused: .refusedAfterWaiting, &events)
    }
  }

  /// Performs a decision that was made when `bytes` were counted.
  private mutating func carryOut(
    _ decision: ExportQueue<Int>.Decision, with bytes: Int, made: ExportEvent, refused: ExportEvent,
    _ events: inout Set<ExportEvent>
  ) throws(Violation) {
    let hasRoom = bytes + ExportQueue<Int>.reserve <= PageMemory.most
    switch decision {
    case .make(let page):
      guard order.first == page else { throw Violation("page \(page) is made out of turn") }
      if maker != nil { throw Violation("two exports are made at once") }
      if !hasRoom { throw Violation("page \(page) is made without room") }
      pages[page].phase = .making
      events.insert(made)
    case .refuse(let page):
      guard order.first == page else { throw Violation("page \(page) is refused out of turn") }
      if hasRoom { throw Violation("page \(page) is refused, and there is room") }
      pages[page].phase = .idle
      events.insert(refused)
    }
    order.removeFirst()
  }

  // MARK: Rules

  /// The number of bytes of all unsent answers.
  private var kept: Int { others + pages.reduce(0) { $0 + $1.kept } }

  private func check() throws(Violation) {
    let bytes = kept + (maker == nil ? 0 : ExportQueue<Int>.reserve)
    if memory.bytes != bytes { throw Violation("\(memory.bytes) bytes count of \(bytes)") }
    if memory.bytes > PageMemory.most { throw Violation("more bytes count than may") }
    if !order.isEmpty, maker == nil { throw Violation("a page waits, and no export is made") }
  }

  /// Checks a state after which no event can happen.
  func checkEnd() throws(Violation) {
    if pages.contains(where: { !$0.program.isEmpty || ![.idle, .left].contains($0.phase) }) {
      throw Violation("a page waits without an end")
    }
    if reads, memory.bytes != others { throw Violation("bytes count that nothing keeps") }
  }
}
