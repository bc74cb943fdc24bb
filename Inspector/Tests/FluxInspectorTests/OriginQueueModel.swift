import FluxInspector

/// Pages that request origins, disconnect, and can connect again.
struct OriginQueueModel: InterleavedModel {
  struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }

  enum Step: Hashable {
    case request, leave
  }

  enum Choice: Hashable {
    case step(Int), finish
  }

  enum Event: Hashable, CaseIterable {
    case foundAtOnce, foundAfterWaiting, leftWaiting, leftFinding, cameAgain
  }

  private enum Phase: Hashable {
    case idle, waiting, finding
  }

  private struct Page: Hashable {
    var program: ArraySlice<Step>
    var phase = Phase.idle
  }

  private var queue = OriginQueue<Int>()
  private var pages: [Page]
  /// The pages that wait, in the order of their requests.
  private var order: [Int] = []
  /// The page whose turn it is, and whether it left since.
  private var turn: Int?
  private var hasLeft = false

  init(_ programs: [[Step]]) {
    pages = programs.map { Page(program: $0[...]) }
  }

  var choices: [Choice] {
    let steps = pages.indices.filter { index in
      switch pages[index].program.first {
      case nil: false
      case .request: pages[index].phase == .idle
      case .leave: true
      }
    }
    return steps.map(Choice.step) + (turn == nil ? [] : [.finish])
  }

  mutating func take(_ choice: Choice, _ events: inout Set<Event>) throws(Violation) {
    switch choice {
    case .step(let page):
      switch pages[page].program.removeFirst() {
      case .request: try request(page, &events)
      case .leave: leave(page, &events)
      }
    case .finish: try finish(&events)
    }
    if turn == nil, !order.isEmpty { throw Violation("a page waits, and no origin is being found") }
  }

  private mutating func request(_ page: Int, _ events: inout Set<Event>) throws(Violation) {
    if turn == page { events.insert(.cameAgain) }
    let begins = queue.add(page)
    guard begins == (turn == nil) else { throw Violation("two are found at once, or none is") }
    pages[page].phase = begins ? .finding : .waiting
    if begins {
      (turn, hasLeft) = (page, false)
      events.insert(.foundAtOnce)
    } else {
      order.append(page)
    }
  }

  private mutating func leave(_ page: Int, _ events: inout Set<Event>) {
    queue.remove(page)
    switch pages[page].phase {
    case .idle: break
    case .waiting:
      order.removeAll { $0 == page }
      events.insert(.leftWaiting)
    case .finding:
      hasLeft = true
      events.insert(.leftFinding)
    }
    pages[page].phase = .idle
  }

  private mutating func finish(_ events: inout Set<Event>) throws(Violation) {
    let expected = (finished: hasLeft ? nil : turn, next: order.first)
    let result = queue.finish()
    guard result == expected else { throw Violation("\(result), and not \(expected)") }
    if let page = result.finished { pages[page].phase = .idle }
    (turn, hasLeft) = (result.next, false)
    guard let next = result.next else { return }
    order.removeFirst()
    pages[next].phase = .finding
    events.insert(.foundAfterWaiting)
  }

  func checkEnd() throws(Violation) {
    if pages.contains(where: { !$0.program.isEmpty || $0.phase != .idle }) {
      throw Violation("a page waits without an end")
    }
  }
}
