import Dispatch
import FluxCore
import Foundation
import Synchronization

// This file contains the operations of a `Persistence` object. The operations apply the rules of
// the state machines, and use a lock, tasks, and threads that can block.

extension Persistence {
  /// The source of the state to save.
  enum Source: Sendable {
    case none
    case live(dispatch: DispatchFunction, getState: @Sendable () -> State?)
    /// The last state of the store, or `nil` after that state has been saved.
    case ended(State?)
  }

  /// The values that the lock protects.
  struct Contents: Sendable {
    var rules = PersistenceStateMachine()
    var saved = SavedStateRules()
    var source = Source.none
    /// The saved part in the initial state, or `nil` after the `Persistence` object has begun to
    /// save a different value, or has restored a part.
    var first: Saved?
    /// The value that the next start of the program loads if nothing else is saved, or `nil` if
    /// the value is unknown.
    var loaded: Saved?
    /// The task that closes the window.
    var closing: StartedTask?
    var waiting: [DispatchSemaphore] = []
    /// The saved files, which only the thread with exclusive access can use.
    var generations: SavedGenerations

    init(generations: SavedGenerations) {
      self.generations = generations
    }
  }

  // MARK: - The store

  func begin(dispatch: @escaping DispatchFunction, getState: @escaping @Sendable () -> State?) {
    Timeline.keepsHistory()
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

  /// Saves the last state, and waits until the state is on disk.
  func end(_ last: State) {
    let (waiting, closing, source) = contents.withLock { contents in
      _ = contents.rules.ended()
      let source = contents.source
      contents.source = .ended(last)
      return (contents.takeWaiting(), contents.closing.take(), source)
    }
    closing?.cancel()
    for semaphore in waiting { semaphore.signal() }
    // The core of the store is released outside the lock.
    withExtendedLifetime(source) {}
    takeTurn()
    // Any error has already been reported, and the next flush tries to save again.
    _ = saveInTurn()
  }

  func dispatch() -> DispatchFunction? {
    guard case .live(let dispatch, _) = contents.withLock({ $0.source }) else { return nil }
    return dispatch
  }

  func first() -> Saved? {
    contents.withLock { $0.first }
  }

  /// Clears the values with which a save compares the part, because a different value is being
  /// saved or was restored.
  ///
  /// A failed save also clears the values, because the save might have written the part despite
  /// the failure.
  func forgetFirst() {
    let forgotten = contents.withLock { ($0.first.take(), $0.loaded.take()) }
    withExtendedLifetime(forgotten) {}
  }

  /// Begins a restore.
  ///
  /// Until the restore ends, background saves wait.
  func beginRestore() {
    contents.withLock { $0.rules.restoreBegan() }
  }

  func endRestore() {
    act(on: contents.withLock { $0.rules.restoreEnded() })
  }

  // MARK: - Windows

  private func act(on response: PersistenceStateMachine.Response) {
    if let window = response.opens { open(window) }
    if response.saves { saveInBackground() }
  }

  private func open(_ opened: PersistenceStateMachine.Window) {
    // Even if the window is short, repeated failures must not keep a processor busy or fill a
    // log.
    let length = opened == .afterFailure ? max(window, .seconds(1)) : window
    // The window begins immediately, not when the task begins to run.
    let deadline = timeline.now + length
    let closing = timeline.startTimer(until: deadline) { [weak self] error in
      // If the clock throws an error although the timer is not canceled, the state must still be
      // saved.
      if error == nil || !Task.isCancelled { self?.windowClosed() }
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
    blockingCode.run { [self] in
      guard contents.withLock({ $0.rules.wantsToSave() }) == .granted else { return }
      _ = saveInTurn()
    }
  }

  // MARK: - Turns

  /// Waits until this thread has exclusive access to the files.
  func takeTurn() {
    wait { $0.wantsTurn() }
  }

  /// Waits until an event wakes the waiting threads, for example because the store is released.
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

  // MARK: - Loading

  /// Loads the saved part, and reports the problems.
  ///
  /// - Parameter isReceived: A Boolean value that indicates whether the program receives the
  ///   part, to use it in the initial state of a store. For a restore, the value is `false`,
  ///   because the reducer might reject the part.
  func find(toStartWith isReceived: Bool) -> (
    SavedGenerations.Found<Saved>?, [PersistenceError], SavedStateRules.Source
  ) {
    takeTurn()
    var (generations, source) = contents.withLock { ($0.generations, $0.saved.source) }
    var problems: [PersistenceError] = []
    let found: SavedGenerations.Found<Saved>?
    if case .kept(let file) = source, !isReceived {
      found = generations.loadKept(file, problems: &problems, decode: decode)
    } else {
      found = generations.load(problems: &problems, decode: decode)
      let loaded = found.flatMap { $0.isCertain ? $0.value : nil }
      let old = contents.withLock { contents in
        if isReceived { contents.saved.markLoaded() }
        let old = contents.loaded
        contents.loaded = loaded
        return old
      }
      withExtendedLifetime(old) {}
    }
    giveTurnBack(.done, generations)
    for problem in problems { onProblem(problem) }
    return (found, problems, source)
  }

  // MARK: - Saving

  enum SaveResult: Sendable {
    case saved
    case failed(PersistenceError)
    case postponed
  }

  /// Saves the current state on this thread, and then ends the thread's exclusive access to the
  /// files.
  func saveInTurn() -> SaveResult {
    // This method reads `Known` before it reads the state. If `Known` indicates that a part was
    // restored, the state therefore contains that part. If a part is restored after the method
    // reads `Known`, the save assumes that the program has not received the saved state.
    var (source, generations, known) = contents.withLock { contents in
      (contents.source, contents.generations, Known(contents))
    }
    var problems: [PersistenceError] = []
    let result: SaveResult
    var outcome = PersistenceStateMachine.Outcome.done
    switch source {
    case .none, .ended(nil): result = .saved
    case .live(_, let getState):
      if let saved = getState().map(part.get) {
        (result, outcome) = save(saved, over: known, in: &generations, problems: &problems)
      } else {
        (result, outcome) = (.postponed, .postponed)
      }
    case .ended(let last?):
      (result, outcome) = save(part.get(last), over: known, in: &generations, problems: &problems)
      if case .saved = result { forgetLast() }
    }
    source = .none
    giveTurnBack(outcome, generations)
    for problem in problems { onProblem(problem) }
    return result
  }

  /// Information about the saved files, which is read when a save begins.
  private struct Known {
    let first: Saved?
    let loaded: Saved?
    let isUnread: Bool

    init(_ contents: Contents) {
      (first, loaded, isUnread) = (contents.first, contents.loaded, contents.saved.isUnread)
    }
  }

  private func save(
    _ saved: Saved, over known: Known, in generations: inout SavedGenerations,
    problems: inout [PersistenceError]
  ) -> (SaveResult, PersistenceStateMachine.Outcome) {
    let body: Data
    do {
      body = try encode(saved)
    } catch {
      problems.append(error)
      // Another attempt with the same state would also fail.
      return (.failed(error), .done)
    }
    if body == generations.body || encodes(known.loaded, as: body) {
      do throws(PersistenceError) {
        try generations.synchronize()
        return (.saved, .done)
      } catch {
        // The file might have been removed, so the state is written again.
      }
    } else if known.isUnread || known.loaded == nil && !hasReduced.load(ordering: .relaxed),
      encodes(known.first, as: body)
    {
      // The part has not changed, and it is not known whether a state was saved before.
      return (.saved, .done)
    }
    forgetFirst()
    var decoder: SavedGenerations.Decoder<Saved>?
    if known.isUnread { decoder = decode }
    do throws(PersistenceError) {
      try generations.save(body, keepingWhatDecodes: decoder, problems: &problems)
      contents.withLock { $0.saved.saveEnded(keeping: generations.kept, succeeded: true) }
      return (.saved, .done)
    } catch {
      contents.withLock { $0.saved.saveEnded(keeping: generations.kept, succeeded: false) }
      problems.append(error)
      return (.failed(error), .failed)
    }
  }

  /// Returns whether a part exists and its encoding equals the given data.
  private func encodes(_ part: Saved?, as body: Data) -> Bool {
    guard let part else { return false }
    do throws(PersistenceError) {
      return try encode(part) == body
    } catch {
      // The given data was encoded without an error, so it cannot be the encoding of this part.
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

  func decode(_ file: SavedFile, _ name: String) throws(PersistenceError) -> Saved {
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
  /// Makes a request to the state machine, and returns a semaphore if the thread has to wait.
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
