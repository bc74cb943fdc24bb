import FluxAsync
import FluxCollections
import FluxCore
import FluxMiddleware
import Foundation
import Synchronization

/// Work that ends only when it is canceled.
///
/// The work does not sleep, because the system keeps a canceled sleep until its deadline.
private struct Wait: TaskAction {
  func execute(state: SoakState, dispatch: @escaping DispatchFunction) async throws {
    let (nothing, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in nothing {}
    withExtendedLifetime(continuation) {}
  }
}

/// Work that ends soon.
private struct PutSoon: TaskAction {
  let row: Row

  func execute(state: SoakState, dispatch: @escaping DispatchFunction) async throws {
    await Task.yield()
    dispatch(Put(row: row))
  }
}

/// A test in which threads use two stores in every way, with checks of the guarantees.
final class Soak: Sendable {
  let findings: Findings
  private let storage: FileStorage
  private let persistence: Persistence<SoakState, SoakState>
  /// The store whose state is saved.
  private let store: Store<SoakState>
  private let history = History<SoakState>(limit: 100, keepingEvery: 10)
  /// The store whose actions are undone.
  private let undoable: Store<SoakState>
  private let registry = ActionRegistry(Add.self, Put.self)
  /// The number of dispatched additions, all of which the final state must contain.
  private let additions = Atomic(0)
  private let isOver = Atomic(false)

  init(folder: URL) {
    let findings = Findings()
    self.findings = findings
    storage = FileStorage(directory: folder)
    persistence = Persistence(
      in: storage, window: .milliseconds(20), onProblem: { findings.expect(false, "\($0)") })
    let checks = Plugin<SoakState>(onTransition: Self.checking(findings))
    store = Store(
      reducer: soakReducer(0), plugins: [persistence.plugin, checks], state: SoakState())
    undoable = Store(reducer: soakReducer(0), plugins: [history.plugin], state: SoakState())
  }

  /// Checks that every transition is delivered once and in order, and that no state is torn.
  private static func checking(_ findings: Findings) -> TransitionObserver<SoakState> {
    let last = Counter()
    return .states { step in
      let before = last.value.exchange(step.version, ordering: .relaxed)
      findings.expect(step.version == before + 1, "version \(step.version) came after \(before)")
      findings.expect(step.after.isWhole, "version \(step.version) is torn")
    }
  }

  /// The operation that a thread repeats, with the number of the turn.
  private typealias Turn = @Sendable (Int) -> Void

  private final class Counter: Sendable {
    let value = Atomic<UInt64>(0)
  }

  // MARK: - Running

  /// Runs the threads for the given time, and then checks the final state.
  ///
  /// After each of `parts` equal parts of the time, the threads end, `whenQuiet` is called while no
  /// thread runs, and new threads start.
  func run(for length: Duration, parts: Int, whenQuiet: () throws -> Void) throws {
    let turns: [Turn] = [dispatch, dispatch, subscribe, swap, undo, work, persist]
    var numbers = turns.map { _ in 0 }
    for _ in 0..<parts {
      numbers = runThreads(turns, from: numbers, for: length / parts)
      try persistence.flush()
      findings.expect(load() == store.state, "what was flushed is not what is loaded")
      try whenQuiet()
    }
    let (count, expected) = (store.state.count, additions.load(ordering: .relaxed))
    findings.expect(count == expected, "\(count) of \(expected) additions are in the state")
  }

  /// Runs a thread for each operation until the time is over.
  ///
  /// - Returns: The turn number with which each thread continues.
  private func runThreads(_ turns: [Turn], from numbers: [Int], for length: Duration) -> [Int] {
    let reached = Mutex(numbers)
    let threads = DispatchGroup()
    isOver.store(false, ordering: .relaxed)
    for (index, turn) in turns.enumerated() {
      threads.enter()
      Thread.detachNewThread { [self] in
        var number = numbers[index]
        while !isOver.load(ordering: .relaxed) {
          turn(number)
          number += 1
        }
        reached.withLock { $0[index] = number }
        threads.leave()
      }
    }
    Thread.sleep(forTimeInterval: length / .seconds(1))
    isOver.store(true, ordering: .relaxed)
    threads.wait()
    return reached.withLock { $0 }
  }

  private func load() -> SoakState? {
    let persistence = Persistence<SoakState, SoakState>(
      in: storage, onProblem: { [findings] in findings.expect(false, "\($0)") })
    return persistence.load().value
  }

  // MARK: - The work of the threads

  private func dispatch(_ number: Int) {
    let row = Row(id: number % 100, text: "row \(number)")
    if number.isMultiple(of: 50) {
      store.batch {
        for _ in 0..<10 { store.dispatch(Add()) }
        store.dispatch(Put(row: row))
      }
      additions.add(10, ordering: .relaxed)
      findings.count("batches")
    } else {
      store.dispatch(Add())
      additions.add(1, ordering: .relaxed)
    }
    if number.isMultiple(of: 1000) { findings.count("thousands of turns of dispatching") }
  }

  private func subscribe(_ number: Int) {
    let (newest, isCancelled) = (Counter(), Counter())
    let thread = ObjectIdentifier(Thread.current)
    let token = store.subscribe(to: \.count) { [findings] count in
      let before = newest.value.exchange(UInt64(count), ordering: .relaxed)
      findings.expect(count >= Int(before), "an observer heard of \(count) after \(before)")
      // A call can still be running on another thread, but not on this thread.
      let isHere = ObjectIdentifier(Thread.current) == thread
      let isLate = isHere && isCancelled.value.load(ordering: .relaxed) == 1
      findings.expect(!isLate, "an observer was called after it was cancelled")
    }
    store.dispatch(Put(row: Row(id: number % 100, text: "observed")))
    let reached = store.state
    findings.expect(reached.isWhole, "a torn state was read")
    token.cancel()
    isCancelled.value.store(1, ordering: .relaxed)
    store.dispatch(Put(row: Row(id: number % 100, text: "unobserved")))
    findings.count("subscriptions")
  }

  private func swap(_ number: Int) {
    store.replaceReducer(soakReducer(number % 2))
    findings.count("reducers swapped")
    Thread.sleep(forTimeInterval: 0.001)
  }

  private func undo(_ number: Int) {
    undoable.dispatch(Add())
    undoable.dispatch(Put(row: Row(id: number % 100, text: "row \(number)")))
    switch number % 7 {
    case 0: undoable.dispatch(HistoryAction.undo)
    case 1: undoable.dispatch(HistoryAction.redo)
    case 2: undoable.dispatch(HistoryAction.jump(to: number % 90))
    case 3: undoable.dispatch(HistoryAction.skip(.init(rawValue: max(1, number - 20))))
    default: break
    }
    if number.isMultiple(of: 500) { move() }
    let (state, record) = (undoable.state, history.record)
    findings.expect(state.isWhole, "an undone state is torn")
    findings.expect((0...record.count).contains(record.position), "the position is \(record.position)")
    findings.expect(record.count < 110, "the history has \(record.count) entries")
    findings.count("turns of undoing")
  }

  /// Exports the history, and imports it into another store, which is released afterward.
  private func move() {
    let other = History<SoakState>()
    let copy = Store(reducer: soakReducer(1), plugins: [other.plugin], state: SoakState())
    do {
      copy.dispatch(try other.importing(history.export(from: undoable, with: registry), with: registry))
    } catch {
      findings.expect(false, "\(error)")
    }
    findings.expect(other.record.lastImport?.arrived == true, "an import has not arrived")
    findings.expect(copy.state == undoable.state, "an imported state differs")
    findings.count("histories moved")
  }

  private func work(_ number: Int) {
    let waiting = store.dispatchAsync(Wait())
    let soon = store.dispatchAsync(PutSoon(row: Row(id: number % 100, text: "soon")))
    waiting.cancel()
    if number.isMultiple(of: 2) { soon.cancel() }
    findings.expect(waiting.isCancelled, "work that was cancelled is not")
    let done = DispatchSemaphore(value: 0)
    Task {
      await waiting.finished()
      await soon.finished()
      done.signal()
    }
    done.wait()
    findings.count("works started and ended")
  }

  private func persist(_ number: Int) {
    let before = store.state.count
    do throws(PersistenceError) {
      try persistence.flush()
    } catch {
      findings.expect(false, "\(error)")
    }
    let saved = savedCount()
    findings.expect(saved >= before, "\(saved) was saved, after \(before)")
    findings.count("flushes read back")
    Thread.sleep(forTimeInterval: 0.005)
  }

  /// Returns the count that a program would load if it started now.
  ///
  /// The method loads a copy, because the files change while they are read. One of the generations
  /// is always complete.
  private func savedCount() -> Int {
    var newest = 0
    for name in ["state.previous.json", "state.json", "state.previous.json"] {
      do {
        guard let bytes = try storage.read(name) else { continue }
        let copy = InMemoryStorage(files: ["state.json": bytes])
        let loaded = Persistence<SoakState, SoakState>(in: copy, onProblem: { _ in }).load()
        findings.expect(loaded.problems.isEmpty, "\(loaded.problems)")
        newest = max(newest, loaded.value?.count ?? 0)
      } catch {
        findings.expect(false, "\(error)")
      }
    }
    return newest
  }
}
