import Testing

@testable import FluxCore

@Suite("The tree of scopes, work, and tasks")
struct WorkTreeTests {
  private var machine = WorkStateMachine()
  private let thread = ThreadIdentity(rawValue: 1)
  private let other = ThreadIdentity(rawValue: 2)

  private func list(_ instructions: WorkStateMachine.Instructions) -> [WorkStateMachine.Instruction] {
    var list: [WorkStateMachine.Instruction] = []
    instructions.forEach { list.append($0) }
    return list
  }

  private mutating func work(_ scope: WorkStateMachine.NodeID, key: Int = 0) throws -> WorkStateMachine.NodeID
  {
    let arrival = machine.arrive(
      WorkID(shared: key), WorkRules(.every), hasFirstStep: false, in: scope, at: .zero, by: thread)
    return try #require(arrival.work)
  }

  @Test("a scope counts the unfinished tasks at every depth")
  mutating func counts() throws {
    let outer = machine.openScope(in: machine.root)
    let inner = machine.openScope(in: outer)
    let started = machine.startTask(in: inner)
    let task = try #require(started)
    #expect(machine.unfinished(in: outer) == 1)
    #expect(machine.unfinished(in: machine.root) == 1)
    _ = machine.finishTask(task, by: thread)
    #expect(machine.unfinished(in: outer) == 0)
    #expect(machine.unfinished(in: machine.root) == 0)
  }

  @Test("the last task that finishes resumes the waits of each scope, beginning with the innermost one")
  mutating func idleWaits() throws {
    let outer = machine.openScope(in: machine.root)
    let inner = machine.openScope(in: outer)
    let started = [machine.startTask(in: inner), machine.startTask(in: inner)]
    let tasks = try started.map { try #require($0) }
    let waits = [machine.awaitIdle(inner), machine.awaitIdle(outer)]
    #expect(waits == [true, true])
    let step1 = list(machine.finishTask(tasks[0], by: thread))
    #expect(step1 == [])
    let step2 = list(machine.finishTask(tasks[1], by: thread))
    #expect(step2 == [.resumeIdle(inner), .resumeIdle(outer)])
    let waitsAgain = machine.awaitIdle(inner)
    #expect(!waitsAgain)
  }

  @Test("the last dispatch that ends resumes the waits until the dispatches in a scope end")
  mutating func dispatchWaits() {
    let scope = machine.openScope(in: machine.root)
    let waitsBefore = machine.awaitDispatches(scope)
    #expect(!waitsBefore)
    let begins = [machine.beginDispatch(in: scope, by: thread), machine.beginDispatch(in: scope, by: other)]
    #expect(begins == [true, true])
    let waits = machine.awaitDispatches(scope)
    #expect(waits)
    let step3 = list(machine.endDispatch(in: scope, by: other))
    #expect(step3 == [])
    let step4 = list(machine.endDispatch(in: scope, by: thread))
    #expect(step4 == [.resumeAfterDispatches(scope)])
  }

  @Test("a thread counts as dispatching until its outer dispatch ends")
  mutating func nestedDispatch() {
    let scope = machine.openScope(in: machine.root)
    _ = machine.beginDispatch(in: scope, by: thread)
    _ = machine.beginDispatch(in: scope, by: thread)
    _ = machine.endDispatch(in: scope, by: thread)
    let waits = machine.awaitDispatches(scope)
    #expect(waits)
  }

  @Test("a canceled scope accepts new tasks, and an ended scope does not")
  mutating func endsAndCancels() throws {
    let scope = machine.openScope(in: machine.root)
    let started = machine.startTask(in: scope)
    let task = try #require(started)
    let step5 = list(machine.cancelAll(in: scope, by: thread))
    #expect(step5 == [.cancelTask(task)])
    let startedNext = machine.startTask(in: scope)
    let next = try #require(startedNext)
    let step6 = list(machine.end(scope, by: thread))
    #expect(step6 == [.cancelTask(next)])
    let last = machine.startTask(in: scope)
    #expect(last == nil)
    #expect(machine.hasEnded(scope))
  }

  @Test("a scope that is opened in an ended scope has ended")
  mutating func opensInEndedScope() {
    let scope = machine.openScope(in: machine.root)
    _ = machine.end(scope, by: thread)
    let inner = machine.openScope(in: scope)
    #expect(machine.hasEnded(inner))
  }

  @Test("canceling all work of a scope leaves the scopes of dispatches open")
  mutating func cancelsBelowScopes() throws {
    let scope = machine.openScope(in: machine.root)
    let inner = machine.openScope(in: scope)
    let started = machine.startTask(in: inner)
    let task = try #require(started)
    let step7 = list(machine.cancelAll(in: scope, by: thread))
    #expect(step7 == [.cancelTask(task)])
    #expect(!machine.hasEnded(inner))
  }

  @Test("a cancellation cancels all tasks before it reports anything")
  mutating func order() throws {
    let scope = machine.openScope(in: machine.root)
    let works = try [work(scope, key: 1), work(scope, key: 2)]
    let started = machine.startTask(in: works[0])
    let task = try #require(started)
    let instructions = list(machine.end(scope, by: thread))
    #expect(
      instructions == [
        .cancelTask(works[0]), .cancelTask(task), .cancelTask(works[1]), .report(works[0]), .report(works[1]),
      ])
  }

  @Test("work that did nothing, and only such work, makes a dispatch unproductive")
  mutating func productive() throws {
    let scope = machine.openScope(in: machine.root)
    #expect(machine.isProductive(scope))
    let first = try work(scope, key: 1)
    _ = machine.returned(first, isIdle: true)
    #expect(!machine.isProductive(scope))
    _ = try work(scope, key: 2)
    #expect(machine.isProductive(scope))
    machine.countArrival(in: scope, isIdle: true)
    #expect(machine.isProductive(scope))
  }

  @Test("the identity of a removed node is not used again")
  mutating func identities() throws {
    let first = machine.openScope(in: machine.root)
    machine.removeScope(first)
    let second = machine.openScope(in: machine.root)
    #expect(first != second)
    #expect(machine.nodes.count == 2)
  }

  @Test("a chain of 100,000 scopes is canceled without recursion")
  mutating func depth() throws {
    var scope = machine.root
    for _ in 0..<100_000 { scope = machine.openScope(in: scope) }
    // The task is inserted below the deepest scope without counting it in each outer scope.
    let count = machine.nodes.count
    let step8 = list(machine.end(machine.root, by: thread))
    #expect(step8 == [])
    #expect(machine.hasEnded(scope))
    #expect(count == 100_001)
  }

  @Test("idle lanes are removed, so that keys that are used once do not accumulate")
  mutating func lanes() throws {
    for key in 0..<10_000 {
      let work = try work(machine.root, key: key)
      _ = machine.returned(work, isIdle: false)
      _ = machine.leave(work, by: thread)
      machine.removeScope(work)
    }
    #expect(machine.lanes.count <= 128)
    #expect(machine.nodes.count <= 2)
  }

  @Test("a canceled queue does not accumulate", arguments: [1_000])
  mutating func queue(count: Int) throws {
    let id = WorkID(shared: "queue")
    func arrive(_ machine: inout WorkStateMachine) -> WorkStateMachine.NodeID? {
      machine.arrive(id, WorkRules(.queue), hasFirstStep: false, in: machine.root, at: .zero, by: thread).work
    }
    _ = arrive(&machine)
    for _ in 0..<count {
      let arrived = arrive(&machine)
      let work = try #require(arrived)
      _ = machine.cancel(work, because: nil, by: thread)
      _ = machine.takeNotice(of: work, by: thread)
      _ = machine.reported(work)
      _ = machine.returned(work, isIdle: true)
      _ = machine.leave(work, by: thread)
      machine.removeScope(work)
    }
    #expect(machine.lanes[0].queue.count <= 2)
    #expect(machine.nodes.count <= 3)
  }
}
