import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Work of every policy, started and canceled on sixteen threads", .unlessItHangs)
struct WorkStormTests {
  private static let policies: [(lane: String, policy: WorkPolicy)] = [
    ("every", .every), ("latest", .latest), ("leading", .leading), ("queue", .queue),
    ("debounced", .latest.debounced(for: .milliseconds(300))),
    ("throttled", .latest.throttled(every: .milliseconds(300))),
    ("throttled first", .every.throttled(every: .milliseconds(300), latest: false)),
    ("retrying", .latest.retrying(.times(2, backoff: .constant(.milliseconds(200))))),
    ("timing out", .leading.timingOut(after: .milliseconds(500))),
    ("both", .queue.retrying(.times(1)).timingOut(after: .milliseconds(700))),
  ]

  /// The lanes in which one request at a time may be pending.
  private static let exclusive: Set<String> = [
    "latest", "leading", "queue", "debounced", "throttled", "retrying", "timing out", "both",
  ]

  /// The lanes in which a request may reach its time limit.
  private static let limited: Set<String> = ["timing out", "both"]

  @Test("Each pending request of every policy is settled once, and alone in lanes that run one at a time")
  func requests() async {
    let storm = StormStore()
    await send(to: storm)
    await storm.finish()
    var (open, settled): (Set<RequestID>, Set<RequestID>) = ([], [])
    var pending: [String: RequestID] = [:]
    var wrong: [String] = []
    for action in storm.actions.values {
      switch action {
      case let event as StormRequest.Pending:
        if !open.insert(event.id).inserted || settled.contains(event.id) { wrong.append("again \(event)") }
        let lane = event.request.lane
        guard Self.exclusive.contains(lane.prefix { $0 != "/" }.description) else { continue }
        if pending.updateValue(event.id, forKey: lane) != nil { wrong.append("second in lane \(event)") }
      case let event as any RequestEvent:
        if open.remove(event.id) == nil || !settled.insert(event.id).inserted {
          wrong.append("extra \(event)")
        }
        if let lane = pending.first(where: { $0.value == event.id })?.key { pending[lane] = nil }
      default: break
      }
    }
    #expect(wrong.isEmpty, "seed \(StormStore.seed)")
    #expect(open.isEmpty, "seed \(StormStore.seed)")
    #expect(!settled.isEmpty)
    #expect(storm.store.effects.count == 0)
    #expect(storm.store.state.arrived == storm.actions.count)
  }

  @Test("A request that CancelWork cancels is never answered, and rejected if it is pending")
  func canceledRequests() async {
    let storm = StormStore()
    await send(to: storm)
    await storm.finish()
    let canceled = storm.canceled.value
    var rejected = 0
    var wrong: [String] = []
    for action in storm.actions.values {
      switch action {
      case let event as StormRequest.Fulfilled where canceled.contains(event.request.number):
        wrong.append("\(event)")
      case let event as StormRequest.Rejected where canceled.contains(event.request.number):
        let lane = event.request.lane.prefix { $0 != "/" }.description
        switch event.failure {
        case .aborted: rejected += 1
        // The limit may have been reached before.
        case .timedOut where Self.limited.contains(lane): break
        default: wrong.append("\(event)")
        }
      default: break
      }
    }
    #expect(wrong.isEmpty, "seed \(StormStore.seed)")
    #expect(rejected > 0, "seed \(StormStore.seed)")
  }

  @Test("Requests of every policy that were answered, dropped, or canceled are released")
  func lifetimes() async {
    let (tracker, released, made) = (LifetimeTracker(), EventLog<Bool>(), Shared(0))
    do {
      let storm = StormStore()
      await send(to: storm) {
        made.increment()
        return tracker.make { released.record(true) }
      }
      await storm.finish()
    }
    await released.count(atLeast: made.value)
    #expect(tracker.alive == 0)
  }

  @Test("Latest: after the newest work has begun, no older work of its key dispatches")
  func latest() async {
    let storm = StormStore()
    await storm.storm { [store = storm.store] index, random in
      for round in 0..<40 {
        let lane = Int.random(in: 0..<3, using: &random)
        store.dispatch(StormTask(index * 100 + round, lane: lane, .latest.keyed(by: lane)))
      }
    }
    await storm.finish()
    var newest: [Int: Int] = [:]
    for note in storm.notes {
      if note.stage == .began { newest[note.lane] = note.number }
      #expect(newest[note.lane] == note.number)
    }
    for lane in 0..<3 { #expect(storm.notes.last { $0.lane == lane }?.stage == .ended) }
  }

  @Test("Queue: all work runs once and alone, in the order in which each thread dispatched it")
  func queue() async {
    let storm = StormStore()
    await storm.storm { [store = storm.store] index, _ in
      for round in 0..<15 { store.dispatch(StormTask(index * 100 + round, .queue)) }
    }
    await storm.finish()
    let notes = storm.notes
    let began = notes.filter { $0.stage == .began }.map(\.number)
    #expect(notes.map(\.number) == began.flatMap { [$0, $0, $0] })
    #expect(Set(began).count == began.count)
    for index in 0..<16 {
      #expect(began.filter { $0 / 100 == index } == (0..<15).map { index * 100 + $0 })
    }
  }

  @Test("Leading: work that has begun continues to its end, and no other work of its key begins meanwhile")
  func leading() async {
    let storm = StormStore()
    await storm.storm { [store = storm.store] index, random in
      for round in 0..<30 {
        let lane = Int.random(in: 0..<3, using: &random)
        store.dispatch(StormTask(index * 100 + round, lane: lane, .leading.keyed(by: lane)))
      }
    }
    await storm.finish()
    for lane in 0..<3 {
      let notes = storm.notes.filter { $0.lane == lane }
      let began = notes.filter { $0.stage == .began }.map(\.number)
      #expect(!began.isEmpty)
      #expect(notes.map(\.number) == began.flatMap { [$0, $0, $0] })
    }
  }

  @Test("Debounced: of the work that many threads dispatch while no time passes, one piece begins")
  func debounced() async {
    let storm = StormStore()
    let runs = Recorder<Int>()
    await storm.storm { [store = storm.store] index, _ in
      for round in 0..<20 {
        store.dispatch(StormTask(index * 100 + round, .latest.debounced(for: .seconds(1)), runs: runs))
      }
    }
    await storm.finish()
    #expect(runs.count == 1)
    #expect(storm.notes.map(\.stage) == [.began, .middle, .ended])
    #expect(runs.values.allSatisfy { $0 % 100 == 19 }, "the last of a thread is the last of all")
  }

  @Test(
    "Throttled: while no time passes the first piece of work begins; the last begins later, or never",
    arguments: [true, false])
  func throttled(latest: Bool) async {
    let storm = StormStore()
    let runs = Recorder<Int>()
    await storm.storm { [store = storm.store] index, _ in
      for round in 0..<20 {
        let policy = WorkPolicy.every.throttled(every: .seconds(1), latest: latest)
        store.dispatch(StormTask(index * 100 + round, policy, runs: runs))
      }
    }
    await storm.finish()
    #expect(runs.count == (latest ? 2 : 1))
    #expect(runs.values.first.map { $0 % 100 } == 0)
    if latest { #expect(runs.values.last.map { $0 % 100 } == 19) }
    #expect(storm.clock.now.offset == (latest ? .seconds(1) : .zero))
  }

  @Test("Retrying: work that fails at first arrives once, by its last attempt")
  func retrying() async {
    let storm = StormStore()
    let policy = WorkPolicy.every.retrying(.times(2, backoff: .constant(.seconds(1))))
    let all = Recorder<Recorder<Int>>()
    await storm.storm { [store = storm.store] index, _ in
      for round in 0..<8 {
        let runs = Recorder<Int>()
        all.record(runs)
        store.dispatch(
          StormTask(index * 100 + round, policy, runs: runs) {
            if runs.count < 3 { throw Service.Trouble() }
          })
      }
    }
    await storm.finish()
    #expect(all.values.allSatisfy { $0.count == 3 })
    let ended = storm.notes.filter { $0.stage == .ended }
    #expect(ended.count == 16 * 8)
    #expect(Set(ended.map(\.number)).count == 16 * 8)
    #expect(ended.allSatisfy { $0.attempt == 3 })
  }

  @Test("Timing out: an attempt that is over dispatches nothing, although it ignores its cancellation")
  func timingOut() async {
    let storm = StormStore()
    let (late, timed) = (Service(heedsCancellation: false), EventLog<Bool>())
    await storm.storm { [store = storm.store] index, _ in
      for round in 0..<6 {
        let number = index * 100 + round
        store.dispatch(
          StormTask(number, .every.timingOut(after: .seconds(1))) {
            defer { timed.record(true) }
            _ = try await late.call("\(number)")
          })
      }
    }
    await late.calls.count(atLeast: 16 * 6)
    await storm.clock.sleepers(atLeast: 16 * 6)
    storm.clock.advance(by: .seconds(1))
    await late.cancelled.count(atLeast: 16 * 6)
    await resultOfThread {
      onThreads(16) { index in for round in 0..<6 { late.answer("\(index * 100 + round)") } }
    }
    await timed.count(atLeast: 16 * 6)
    await storm.finish()
    #expect(storm.notes.count == 16 * 6)
    #expect(storm.notes.allSatisfy { $0.stage == .began })
  }

  @Test("A dispatch that was canceled on one thread starts no work and dispatches nothing any more")
  func canceling() async {
    let storm = StormStore()
    let over = Recorder<(number: Int, count: Int)>()
    await storm.storm { [storm] index, random in
      for round in 0..<30 {
        let number = index * 100 + round
        let policy = Self.policies.randomElement(using: &random)?.policy ?? .every
        let task = storm.store.dispatchAsync(StormTask(number, policy.keyed(by: index)))
        if Bool.random(using: &random) { _ = storm.store.state }
        task.cancel()
        over.record((number, storm.noteCount(of: number)))
      }
    }
    await storm.finish()
    for (number, count) in over.values {
      #expect(storm.noteCount(of: number) <= count + 1, "seed \(StormStore.seed)")
    }
    #expect(storm.store.effects.count == 0)
  }

  @Test("Work that CancelWork canceled on one thread dispatches nothing any more")
  func cancelingWork() async {
    let storm = StormStore()
    let over = Recorder<(number: Int, count: Int)>()
    await storm.storm { [storm] index, random in
      for round in 0..<30 {
        let number = index * 100 + round
        let policy = Self.policies.randomElement(using: &random)?.policy ?? .every
        storm.store.dispatch(StormTask(number, policy.keyed(by: index)))
        if Bool.random(using: &random) { _ = storm.store.state }
        storm.store.dispatch(CancelWork(of: StormTask.self, id: index))
        // A dispatch that had begun may still reach the reducer.
        over.record((number, storm.noteCount(of: number)))
      }
    }
    await storm.finish()
    for (number, count) in over.values {
      #expect(storm.noteCount(of: number) <= count + 1, "seed \(StormStore.seed)")
    }
    #expect(storm.store.effects.count == 0)
  }

  /// Sends requests of every policy, and cancels some of them, on all threads.
  private func send(
    to storm: StormStore, making tracked: @escaping @Sendable () -> LifetimeTracker.Tracked? = { nil }
  ) async {
    await storm.storm { [storm] index, random in
      var requests: [RequestTask<StormRequest>] = []
      for round in 0..<60 {
        guard let (name, policy) = Self.policies.randomElement(using: &random) else { return }
        let key = Int.random(in: 0..<2, using: &random)
        let request = StormRequest(
          number: index * 1000 + round, lane: "\(name)/\(key)", policy: policy.keyed(by: "\(name)/\(key)"),
          way: StormRequest.Way.allCases.randomElement(using: &random) ?? .answers, clock: storm.clock,
          answered: storm.answered, tracked: tracked())
        switch Int.random(in: 0..<12, using: &random) {
        case 0: storm.clock.advance(by: .milliseconds(150))
        case 1: requests.randomElement(using: &random)?.abort("at random")
        case 2: storm.store.dispatchAsync(request).cancel()
        case 3:
          let lane = request.lane
          storm.cancel(CancelWork(of: StormRequest.self, id: lane)) { $0 == lane }
        case 4 where round.isMultiple(of: 5): storm.cancel(.all(because: "at random")) { _ in true }
        case 5: storm.store.sendAsCancellable(request).cancel()
        case 6, 7: requests.append(storm.store.request(request))
        default: storm.store.dispatch(request)
        }
      }
    }
  }
}
