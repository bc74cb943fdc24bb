import FluxAsync
import TestSupport
import Testing

@Suite("The rules of a lane")
struct WorkLaneTests {
  private static let policies: [WorkPolicy] = [
    .every, .latest, .leading, .queue, .latest.debounced(for: .seconds(2)),
    .queue.debounced(for: .seconds(1)),
    .every.throttled(every: .seconds(3)), .leading.throttled(every: .seconds(2), latest: false),
  ]

  /// A lane and its work, as the work itself records it.
  private struct Road {
    var lane = WorkLane()
    var running: Set<UInt64> = []
    /// The work has its result, and has not ended.
    var settled: Set<UInt64> = []
    var queued: [UInt64] = []
    var waiting: [UInt64: Duration] = [:]
    /// Canceled while it was running.
    var ending: Set<UInt64> = []

    /// Work that has begun and has not ended.
    var begun: [UInt64] { running.union(ending).union(settled).sorted() }

    mutating func cancel(_ number: UInt64) {
      if running.remove(number) != nil || settled.remove(number) != nil { ending.insert(number) }
      queued.removeAll { $0 == number }
      waiting[number] = nil
    }

    mutating func take(_ response: WorkLane.Response, for number: UInt64) {
      for cancelled in response.cancels {
        #expect(cancelled != number)
        cancel(cancelled)
      }
      switch response.step {
      case .runs: running.insert(number)
      case .queues: queued.append(number)
      case .waits(let deadline): waiting[number] = deadline
      case .drops: break
      }
    }

    mutating func settle(_ number: UInt64) {
      lane.settled(number)
      if running.remove(number) != nil { settled.insert(number) }
    }

    mutating func finish(_ number: UInt64) {
      running.remove(number)
      settled.remove(number)
      ending.remove(number)
      guard let next = lane.finished(number) else { return }
      #expect(queued.first == next)
      queued.removeFirst()
      running.insert(next)
    }
  }

  @Test("in any order of events no work is lost or begins twice, and each policy is obeyed", arguments: 0..<8)
  func random(policy: Int) {
    let policy = Self.policies[policy]
    for seed in UInt64(1)...200 {
      var random = SeededGenerator(seed: seed)
      var (road, now, number) = (Road(), Duration.zero, UInt64(0))
      for _ in 0..<60 {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4:
          number += 1
          let wasIdle = road.running.isEmpty
          let response = road.lane.arrived(number, policy, at: now)
          if wasIdle, policy.isLeading { #expect(response.step != .drops || policy.isPaced, "seed \(seed)") }
          road.take(response, for: number)
        case 4..<6:
          now += .seconds(Int.random(in: 0...2, using: &random))
        case 6..<9:
          if let done = road.begun.randomElement(using: &random) { road.finish(done) }
        case 9..<11:
          if let known = road.begun.randomElement(using: &random) { road.settle(known) }
        default:
          for cancelled in road.lane.cancelAll() { road.cancel(cancelled) }
          #expect(road.running.isEmpty && road.settled.isEmpty && road.queued.isEmpty && road.waiting.isEmpty)
        }
        for due in road.waiting.filter({ $0.value <= now }).keys.sorted() {
          road.waiting[due] = nil
          road.take(road.lane.woke(due, at: now), for: due)
        }
        expectPolicy(policy, road, "seed \(seed)")
      }
      while let done = road.begun.first { road.finish(done) }
      #expect(road.queued.isEmpty, "seed \(seed)")
      for (due, deadline) in road.waiting { road.take(road.lane.woke(due, at: deadline), for: due) }
      road.waiting = [:]
      while let done = road.begun.first { road.finish(done) }
      #expect(road.lane.isIdle(at: now + .seconds(100)), "seed \(seed)")
    }
  }

  private func expectPolicy(_ policy: WorkPolicy, _ road: Road, _ comment: Comment) {
    switch "\(policy)" {
    case let text where text.contains("queue"):
      #expect(road.running.count + road.settled.count <= 1, comment)
      #expect(road.queued.isEmpty || !road.begun.isEmpty, comment)
    case let text where text.contains("leading") || text.contains("overlap: latest"):
      #expect(road.running.count <= 1, comment)
    default: break
    }
    #expect(road.waiting.count <= 1, comment)
  }

  @Test("work that wakes without having waited is dropped")
  func strayWake() {
    var lane = WorkLane()
    #expect(lane.woke(7, at: .zero) == WorkLane.Response(step: .drops))
    _ = lane.arrived(1, .every, at: .zero)
    #expect(lane.woke(1, at: .zero) == WorkLane.Response(step: .drops))
    #expect(lane.finished(9) == nil)
  }

  @Test("throttled work that is dropped when it wakes opens no interval")
  func droppedOpensNoInterval() {
    let policy = WorkPolicy.leading.throttled(every: .seconds(1))
    var lane = WorkLane()
    #expect(lane.arrived(1, policy, at: .zero).step == .runs)
    #expect(lane.arrived(2, policy, at: .milliseconds(500)).step == .waits(until: .seconds(1)))
    #expect(lane.woke(2, at: .seconds(1)).step == .drops)
    _ = lane.finished(2)
    _ = lane.finished(1)
    #expect(lane.arrived(3, policy, at: .milliseconds(1200)).step == .runs)
  }

  @Test("queued work gets its turn, whichever leading work follows it")
  func queuedBeforeLeading() {
    var lane = WorkLane()
    #expect(lane.arrived(1, .leading, at: .zero).step == .runs)
    lane.settled(1)
    #expect(lane.arrived(2, .queue, at: .zero).step == .queues)
    #expect(lane.arrived(3, .leading, at: .zero).step == .drops)
    #expect(lane.finished(1) == 2)
  }
}

extension WorkPolicy {
  fileprivate var isLeading: Bool { "\(self)".contains("leading") }
  fileprivate var isPaced: Bool { !"\(self)".contains("atOnce") }
}
