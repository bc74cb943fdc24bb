import Dispatch
import FluxCore
import Foundation

// How a persistence does what its rules say: with a lock, tasks, and threads that may block.

extension Persistence {
  /// Where the state is to be had.
  enum Source: Sendable {
    case none
    case live(dispatch: DispatchFunction, getState: @Sendable () -> State?)
    /// The last state, until it is on disk.
    case ended(State?)
  }

  /// What the lock protects.
  struct Contents: Sendable {
    var rules = PersistenceStateMachine()
    var source = Source.none
    /// What the store was made with, until another part has been saved or restored.
    var first: Saved?
    /// Comes back when the window closes.
    var closing: Task<Void, Never>?
    var waiting: [DispatchSemaphore] = []
    /// Only whose turn it is may use it.
    var generations: SavedGenerations

    init(generations: SavedGenerations) {
      self.generations = generations
    }
  }

  // MARK: - The store

  func begin(dispatch: @escaping DispatchFunction, getState: @escaping @Sendable () -> State?) {
    let first = getState().map(part.get)
    let isFirst = contents.withLock { contents in
      guard contents.rules.began() else { return false }
      contents.source = .live(dispatch: dispatch, getState: getState)
      contents.first = first
      return true
    }
    if !isFirst { Misuse.persistenceOfSecondStore(name) }
  }

  func changed() {
    act(on: contents.withLock { $0.rules.changed() })
  }

  /// Saves the last state, and waits until it is on disk.
  func end(_ last: State) {
    let (waiting, closing, source) = contents.withLock { contents in
      _ = contents.rules.ended()
      let source = contents.source
      contents.source = .ended(last)
      return (contents.takeWaiting(), contents.closing.take(), source)
    }
    closing?.cancel()
    for semaphore in waiting { semaphore.signal() }
    // The store's core is released outside the lock.
    withExtendedLifetime(source) {}
    takeTurn()
    // What went wrong was reported; a flush tries again.
    _ = saveInTurn()
  }

  func dispatch() -> DispatchFunction? {
    guard case .live(let dispatch, _) = contents.withLock({ $0.source }) else { return nil }
    return dispatch
  }

  func first() -> Saved? {
    contents.withLock { $0.first }
  }

  /// Lets a save compare with what is on disk only: another part than the first has been saved or restored.
  func forgetFirst() {
    let first = contents.withLock { $0.first.take() }
    withExtendedLifetime(first) {}
  }

  // MARK: - Windows

  private func act(on response: PersistenceStateMachine.Response) {
    if let window = response.opens { open(window) }
    if response.saves { saveInBackground() }
  }

  private func open(_ opened: PersistenceStateMachine.Window) {
    // However short the window, what fails again and again must not keep a processor busy, nor fill a log.
    let length = opened == .afterFailure ? max(window, .seconds(1)) : window
    // Now, and not when the task gets to run.
    let deadline = timeline.now + length
    let closing = Task { [weak self, timeline] in
      do {
        try await timeline.sleep(until: deadline)
      } catch {
        // A clock that fails for another reason must not keep the state from being saved.
        if Task.isCancelled { return }
      }
      self?.windowClosed()
    }
    let isOver = contents.withLock { contents in
      contents.closing = closing
      if case .live = contents.source { return false }
      return true
    }
    if isOver { closing.cancel() }
  }

  private func windowClosed() {
    act(on: contents.withLock { $0.rules.windowClosed() })
  }

  private func saveInBackground() {
    Self.background.async { [self] in
      guard contents.withLock({ $0.rules.wantsToSave() }) == .granted else { return }
      _ = saveInTurn()
    }
  }

  // MARK: - Turns

  /// Where blocking work is done: not on the threads that tasks share.
  private static var background: DispatchQueue { .global(qos: .utility) }

  func inBackground<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Self.background.async { continuation.resume(returning: work()) }
    }
  }

  /// Waits until this thread alone may work on the files.
  func takeTurn() {
    wait { $0.wantsTurn() }
  }

  /// Waits until there is something new: the end of the store, perhaps.
  func waitForEnd() {
    let semaphore = contents.withLock { $0.join { $0.wantsEnd() } }
    semaphore?.wait()
  }

  private func wait(_ want: (inout PersistenceStateMachine) -> PersistenceStateMachine.Turn) {
    while let semaphore = contents.withLock({ $0.join(want) }) { semaphore.wait() }
  }

  func giveTurnBack(_ outcome: PersistenceStateMachine.Outcome, _ generations: SavedGenerations) {
    let (response, waiting) = contents.withLock { contents in
      contents.generations = generations
      let response = contents.rules.finished(outcome)
      return (response, response.wakes ? contents.takeWaiting() : [])
    }
    for semaphore in waiting { semaphore.signal() }
    act(on: response)
  }

  // MARK: - Saving

  enum SaveResult: Sendable {
    case saved
    case failed(PersistenceError)
    case postponed
  }

  /// Saves the state as it is, on this thread, whose turn it is, and gives the turn back.
  func saveInTurn() -> SaveResult {
    var (source, generations) = contents.withLock { ($0.source, $0.generations) }
    var problems: [PersistenceError] = []
    let result: SaveResult
    var outcome = PersistenceStateMachine.Outcome.done
    switch source {
    case .none, .ended(nil): result = .saved
    case .live(_, let getState):
      if let saved = getState().map(part.get) {
        (result, outcome) = save(saved, in: &generations, problems: &problems)
      } else {
        (result, outcome) = (.postponed, .postponed)
      }
    case .ended(let last?):
      (result, outcome) = save(part.get(last), in: &generations, problems: &problems)
      if case .saved = result { forgetLast() }
    }
    source = .none
    giveTurnBack(outcome, generations)
    for problem in problems { onProblem(problem) }
    return result
  }

  private func save(
    _ saved: Saved, in generations: inout SavedGenerations, problems: inout [PersistenceError]
  ) -> (SaveResult, PersistenceStateMachine.Outcome) {
    let body: Data
    do {
      body = try encode(saved)
    } catch {
      problems.append(error)
      // The same state would fail again.
      return (.failed(error), .done)
    }
    if body == generations.body || isFirst(body) { return (.saved, .done) }
    do {
      try generations.save(body, problems: &problems)
      forgetFirst()
      return (.saved, .done)
    } catch {
      problems.append(error)
      return (.failed(error), .failed)
    }
  }

  /// Whether a part is still what the store was made with.
  private func isFirst(_ body: Data) -> Bool {
    guard let first = first() else { return false }
    do throws(PersistenceError) {
      return try encode(first) == body
    } catch {
      // What cannot be encoded is not what has been.
      return false
    }
  }

  private func forgetLast() {
    let source = contents.withLock { contents in
      let source = contents.source
      contents.source = .ended(nil)
      return source
    }
    withExtendedLifetime(source) {}
  }

  // MARK: - Coding

  private func encode(_ saved: Saved) throws(PersistenceError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(saved)
    } catch {
      throw PersistenceError(.unencodable, file: "\(name).json", reason: "\(error)".onOneLine)
    }
  }

  func decode(_ file: SavedFile, name: String) throws(PersistenceError) -> Saved {
    do {
      guard file.version < version else { return try JSONDecoder().decode(Saved.self, from: file.body) }
      var json = try JSONDecoder().decode(JSONValue.self, from: file.body)
      try migrations.run(on: &json, from: file.version, to: version, file: name)
      return try JSONDecoder().decode(Saved.self, from: JSONEncoder().encode(json))
    } catch let error as PersistenceError {
      throw error
    } catch {
      throw PersistenceError(.undecodable, file: name, reason: "\(error)".onOneLine)
    }
  }
}

extension Persistence.Contents {
  /// Asks the rules for something, and for a semaphore to wait at if it is not to be had yet.
  fileprivate mutating func join(
    _ want: (inout PersistenceStateMachine) -> PersistenceStateMachine.Turn
  ) -> DispatchSemaphore? {
    switch want(&rules) {
    case .granted, .unneeded: return nil
    case .wait:
      let semaphore = DispatchSemaphore(value: 0)
      waiting.append(semaphore)
      return semaphore
    }
  }

  fileprivate mutating func takeWaiting() -> [DispatchSemaphore] {
    defer { waiting = [] }
    return waiting
  }
}
