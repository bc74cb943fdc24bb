public import FluxCore
public import FluxMiddleware

/// A history whose changes are kept in a log, so that undo and redo work after a restart.
///
/// ```swift
/// let history = History<Drawing>(limit: 200)
/// let (logged, drawing) = try await LoggedHistory.open(
///   history, in: FileLog(in: folder), with: registry, initial: Drawing(), reducer: drawingReducer)
/// let store = Store(reducer: drawingReducer, plugins: [logged.plugin], state: drawing)
/// ```
///
/// The restored history has the same entries, steps, branches, and position as the history of the
/// previous run, and the same state at each position. It is also paused or locked if that history
/// was. A new limit, filter, or grouping rule takes effect with the next action. The history does
/// not restore its notes.
///
/// **What is written.** The snapshot of the log contains the whole history. An entry contains one
/// change of the history as a result: an action with its id and step, or the entry at which an
/// undo, a redo, or a jump arrived. An action that changes neither the state nor the history
/// usually writes nothing. When the entries after the snapshot have reached the size of
/// `snapshotSize`, the object reads the log, reduces its actions again in the background, and
/// replaces the snapshot and the entries before it.
///
/// **What a crash can lose.** Changes are appended in the background, in the order in which they
/// were reduced. A kill at any moment therefore loses only the newest changes, and the next run
/// continues with an earlier moment of the same history. ``flushed()`` waits until the changes are
/// in the log. Changes that wait for a slow log remain in memory.
///
/// **After a failure.** If an append fails, the object calls `onProblem` once, and writes nothing
/// afterward. The store and its history continue to work in memory. To continue writing, open the
/// log again, and create a new store. If the snapshot cannot be replaced, the object also calls
/// `onProblem`, and tries again later.
///
/// **Unregistered actions.** If the type of an action is not registered, the log contains the
/// state after the action instead. If the action was recorded, its entry is an
/// ``/FluxMiddleware/UnknownAction`` after a restart, and undo and redo restore the same states.
/// If the action was not recorded, but changed the state, undoing the entry before it after a
/// restart also undoes the change, and entries that were undone when the action arrived can no
/// longer be redone. If the state is `Equatable`, actions that do not change the state are not
/// written.
///
/// **Attached features.** The reducer of this object does not contain the features that
/// ``/FluxMiddleware/Features`` attaches. If the state of the history contains
/// ``/FluxMiddleware/FeatureStates``, and an attached feature changes its state, the log contains
/// the state after the action instead of the action, as with an unregistered action. A state of a
/// feature that is not `Equatable` counts as changed by each action. After a restart, skipping an
/// earlier entry does not change the states after such an entry.
///
/// **Costs.** For each action, the plug-in reads the history twice, and stores the action until it
/// is appended. The actions are encoded in the background. You can call every member from any
/// thread.
public final class LoggedHistory<State: Codable & Sendable>: Sendable {
  private struct Contents: Sendable {
    var rules: LoggedHistoryRules
    /// The changes that are not in the log.
    var waiting: [HistoryEvent<State>] = []
    var callers: [LoggedHistoryRules.Waiter: CheckedContinuation<LogError?, Never>] = [:]
    var failure: LogError?

    /// Removes the callers that are about to be resumed, and returns them.
    mutating func take(
      _ waiters: [LoggedHistoryRules.Waiter]
    ) -> [CheckedContinuation<LogError?, Never>] {
      waiters.compactMap { callers.removeValue(forKey: $0) }
    }
  }

  private let source: HistoryInLog<State>
  private let contents: Locked<Contents>
  private let timeline = Timeline(ContinuousClock())
  private let onProblem: @Sendable (LogError) -> Void

  private init(
    _ source: HistoryInLog<State>, rules: LoggedHistoryRules,
    onProblem: @escaping @Sendable (LogError) -> Void
  ) {
    self.source = source
    self.onProblem = onProblem
    contents = Locked(Contents(rules: rules))
  }

  /// Restores a history from a log, and returns an object that writes the later changes.
  ///
  /// If the log is empty, the method saves the initial state as its snapshot. A reset returns to
  /// that state in all later runs. The log must contain nothing but this history.
  ///
  /// - Parameters:
  ///   - history: A history that has no store yet. Its entries are replaced.
  ///   - log: The log.
  ///   - registry: The actions that are written. Actions of earlier versions must remain
  ///     registered as long as the log contains them.
  ///   - initial: The state with which an empty log begins.
  ///   - reducer: The reducer that the history uses: the reducer of the store, together with the
  ///     reducers of the plug-ins after the history. It must be pure.
  ///   - snapshotSize: The number of bytes of entries after which a new snapshot is saved.
  ///   - onProblem: A closure that is called with every later problem, outside any lock. The
  ///     default closure writes to standard error.
  /// - Returns: The object, and the state at the position of the restored history. Create the
  ///   store with this state.
  /// - Throws: ``LogError/Code/undecodable`` with the position of an entry or a snapshot that
  ///   cannot be decoded, or an error of the log. The log and the history then have not changed.
  public static func open(
    _ history: History<State>, in log: any ActionLog, with registry: ActionRegistry,
    initial: State, reducer: @escaping MutatingReducer<State>, snapshotSize: Int = 1 << 20,
    onProblem: @escaping @Sendable (LogError) -> Void = { LogSink.standardError.write("Flux: \($0)") }
  ) async throws(LogError) -> (history: LoggedHistory, state: State) {
    let source = HistoryInLog(log: log, registry: registry, reducer: reducer, original: history)
    try await source.begin(with: initial)
    let copy = try await source.copy()
    let rules = LoggedHistoryRules(
      end: copy.end, size: copy.size, snapshot: copy.snapshot, limit: max(1, snapshotSize))
    history.adopt(copy.history)
    return (LoggedHistory(source, rules: rules, onProblem: onProblem), copy.state)
  }

  /// The plug-in that connects the history to its store, and writes the changes of the history.
  ///
  /// The log contains only the changes that the history and the reducers after it make. Put the
  /// plug-in before all plug-ins that change the same state, and do not use a `Persistence` object
  /// for that state.
  ///
  /// Use this plug-in instead of ``/FluxMiddleware/History/plugin``, in one store. To use it for a
  /// part of the state, lift it with `lift(logged.plugin, to: \.drawing)`. The plug-in retains the
  /// object.
  public var plugin: Plugin<State> {
    var plugin = source.original.plugin
    plugin.wrapReducer = { [self] reducer in
      { [self] state, action in
        let event = source.original.reduceReporting(
          &state, action, with: reducer, registry: source.registry)
        if let event { write(event) }
      }
    }
    return plugin
  }

  /// Waits until the log contains all changes that were reduced before the call.
  ///
  /// If the task is canceled, the method still waits.
  ///
  /// - Throws: The error of the first append that failed, which was also reported.
  public func flushed() async throws(LogError) {
    let error = await withCheckedContinuation { caller in
      let result = contents.withLock { contents -> LogError?? in
        switch contents.rules.wait() {
        case .written: return .some(nil)
        case .failed: return contents.failure
        case .waits(let waiter):
          contents.callers[waiter] = caller
          return nil
        }
      }
      if let result { caller.resume(returning: result) }
    }
    if let error { throw error }
  }

  // MARK: - Writing

  /// Hands a change to the writer.
  ///
  /// The store calls the reducer for one action at a time, so the changes arrive in their order.
  private func write(_ event: HistoryEvent<State>) {
    let starts = contents.withLock { contents in
      if !contents.rules.hasFailed { contents.waiting.append(event) }
      return contents.rules.changeArrived()
    }
    if starts { _ = timeline.startTask { await self.write() } }
  }

  private func write() async {
    while true {
      let (step, events) = contents.withLock { contents in
        let step = contents.rules.nextStep()
        guard case .append = step else { return (step, [HistoryEvent<State>]()) }
        let events = contents.waiting
        contents.waiting = []
        return (step, events)
      }
      switch step {
      case .append(_, let end): await append(events, at: end)
      case .compact: await compact()
      case .rest: return
      }
    }
  }

  private func append(_ events: [HistoryEvent<State>], at end: LogPosition) async {
    do throws(LogError) {
      let bytes = try await source.append(events, at: end)
      let callers = contents.withLock { $0.take($0.rules.appended(bytes: bytes)) }
      for caller in callers { caller.resume(returning: nil) }
    } catch {
      let (callers, unwritten) = contents.withLock { contents in
        contents.failure = error
        defer { contents.waiting = [] }
        return (contents.take(contents.rules.appendFailed()), contents.waiting)
      }
      withExtendedLifetime(unwritten) {}
      // The error is reported before `flushed()` throws it.
      onProblem(error)
      for caller in callers { caller.resume(returning: error) }
    }
  }

  private func compact() async {
    do throws(LogError) {
      let size = try await source.save(try await source.copy())
      contents.withLock { $0.rules.compacted(snapshot: size) }
    } catch {
      contents.withLock { $0.rules.compactionFailed() }
      onProblem(error)
    }
  }
}
