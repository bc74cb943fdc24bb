import Flux
import FluxLog
import Foundation
import Synchronization

/// A plug-in that appends every change to a log before the change is acknowledged, and that
/// appends many changes in one write.
///
/// The plug-in performs the steps of ``ChangeRules``, one at a time: it appends the changes that
/// are pending in the state, and it reads the changes of other processes. It dispatches the result
/// of each step. The changes that are reduced during a step wait for the next one. If 200 requests
/// arrive at the same time, they share two writes. When a write is on disk, the plug-in dispatches
/// ``Appended``, and then the requests receive their answers. A client that reads the list after
/// it has received an answer therefore sees its change.
///
/// If other processes use the log too, the plug-in follows the log. After a failure, it refuses
/// changes until it has read the log again. If only this process uses the log, no change is
/// acknowledged after a write has failed, because the log refuses every later call.
final class ChangeLog: Sendable {
  private struct Contents {
    var requests: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Result<Answer, LogError>, Never>] = [:]
    /// The number of actions after which there may be another step.
    var wakes = 0
    var isRunning = false
    var isClosing = false
    var finishing: [CheckedContinuation<Void, Never>] = []
    /// The error after which the log is not used anymore.
    var failure: LogError?
    /// The error because of which changes are refused until the log has been read again.
    var trouble: LogError?
    var store: StoreAccess?
    /// The number of bytes since the last snapshot.
    var count: Int
  }

  private struct StoreAccess {
    let dispatch: DispatchFunction
    let state: @Sendable () -> BoardState?
  }

  /// The time between two attempts to use a log that cannot be reached.
  static let pause = Duration.seconds(1)

  private let log: any ActionLog
  private let isShared: Bool
  private let snapshotLimit: Int
  private let clock: any Clock<Duration>
  private let contents: Mutex<Contents>
  private let onProblem: @Sendable (String) -> Void
  private let onFailure: @Sendable () -> Void

  /// - Parameters:
  ///   - log: The log, in which the position of an entry is the version before its change.
  ///   - isShared: A Boolean value that indicates whether other processes append to the log.
  ///   - count: The number of bytes in the log since the last snapshot.
  ///   - snapshotLimit: The number of bytes after which a snapshot is saved.
  ///   - clock: The clock that measures the pause before a log is used again.
  ///   - onProblem: Called with a description of each problem.
  ///   - onFailure: Called once when the log cannot be used anymore, before the waiting requests
  ///     are notified.
  init(
    _ log: any ActionLog, isShared: Bool, count: Int, snapshotLimit: Int, clock: any Clock<Duration>,
    onProblem: @escaping @Sendable (String) -> Void, onFailure: @escaping @Sendable () -> Void
  ) {
    self.log = log
    self.isShared = isShared
    self.snapshotLimit = snapshotLimit
    self.clock = clock
    self.onProblem = onProblem
    self.onFailure = onFailure
    contents = Mutex(Contents(count: count))
  }

  /// The plug-in that performs the steps.
  var plugin: Plugin<BoardState> {
    Plugin(
      middleware: { [self] dispatch, state in
        contents.withLock { $0.store = StoreAccess(dispatch: dispatch, state: state) }
        return { next in next }
      },
      onTransition: .actions { [self] action, _ in
        if action is Ask || action is LogEnd || action is LogLost { wake() }
      },
      onStoreEnd: { [self] _ in contents.withLock { $0.store = nil } })
  }

  /// Dispatches a change, and waits until the log contains it.
  func answer(
    to change: Change, key: ChangeKey?, dispatch: DispatchFunction
  ) async throws(LogError) -> Answer {
    let result = await withCheckedContinuation { continuation in
      let (request, error) = contents.withLock { contents -> (UInt64, LogError?) in
        if let error = contents.failure ?? contents.trouble { return (0, error) }
        contents.requests += 1
        contents.waiting[contents.requests] = continuation
        return (contents.requests, nil)
      }
      if let error {
        continuation.resume(returning: .failure(error))
      } else {
        dispatch(Ask(request: request, change: change, key: key))
      }
    }
    return try result.get()
  }

  /// Waits until no step is running and no change is pending.
  ///
  /// - Throws: The error after which the log was not used anymore.
  func finish() async throws(LogError) {
    await withCheckedContinuation { continuation in
      let isIdle = contents.withLock { contents in
        contents.isClosing = true
        if contents.isRunning { contents.finishing.append(continuation) }
        return !contents.isRunning
      }
      if isIdle { continuation.resume() }
    }
    if let failure = contents.withLock({ $0.failure }) { throw failure }
  }

  // MARK: - Other processes

  /// Reads the changes of other processes as soon as the log contains them.
  func follow() {
    let ends = log.ends()
    Task { [weak self] in
      for await end in ends { self?.reached(end) }
      self?.fail(LogError(.closed, "The log was closed or removed."))
    }
  }

  /// Returns a Boolean value that indicates whether the log has reached a version, or might have
  /// reached it.
  func hasReached(_ version: Int) async -> Bool {
    guard isShared else { return false }
    // A page can have received the version from another process.
    do { return try await log.end().offset >= UInt64(version) } catch { return true }
  }

  private func reached(_ end: LogPosition) {
    guard let store = contents.withLock({ $0.store }), let state = store.state(),
      end > LogPosition(UInt64(state.saved.version))
    else { return }
    store.dispatch(LogEnd(version: Int(end.offset)))
  }

  // MARK: - Steps

  /// Starts a task that performs the steps, unless it is running.
  private func wake() {
    let starts = contents.withLock { contents in
      contents.wakes += 1
      defer { contents.isRunning = true }
      return !contents.isRunning
    }
    if starts { Task { await run() } }
  }

  private func run() async {
    while let (step, store) = nextStep() {
      do {
        switch step {
        case .append(let decisions, let version): try await append(decisions, at: version, store)
        case .read(let list): try await read(after: list, store)
        }
      } catch {
        let error = error as? LogError ?? LogError(.undecodable, "\(error)")
        guard isShared, error.code == .unwritable || error.code == .unreadable else {
          fail(error)
          continue
        }
        lose(error)
        // A canceled sleep ends early.
        try? await clock.sleep(for: Self.pause)
      }
    }
  }

  private func nextStep() -> (ChangeRules.Step, StoreAccess)? {
    while true {
      let (wakes, isClosing, store) = contents.withLock { contents in
        (contents.wakes, contents.isClosing, contents.failure == nil ? contents.store : nil)
      }
      if let store, let changes = store.state()?.changes, let step = changes.step,
        !isClosing || !changes.pending.isEmpty
      {
        return (step, store)
      }
      let finishing = contents.withLock { contents -> [CheckedContinuation<Void, Never>]? in
        guard contents.wakes == wakes else { return nil }
        contents.isRunning = false
        defer { contents.finishing = [] }
        return contents.finishing
      }
      if let finishing {
        for continuation in finishing { continuation.resume() }
        return nil
      }
    }
  }

  private func read(after list: ItemList, _ store: StoreAccess) async throws {
    let read = try await SavedList(of: log, after: list, count: contents.withLock { $0.count })
    let isAvailableAgain = contents.withLock { contents in
      // The process whose append has reached the limit saves the snapshot.
      contents.count = read.count < snapshotLimit ? read.count : 0
      return contents.trouble.take() != nil
    }
    store.dispatch(LogRead(list: read.list))
    if isAvailableAgain { onProblem("The log can be used again. Changes are accepted.") }
  }

  private func append(
    _ decisions: [ChangeRules.Decision], at version: Int, _ store: StoreAccess
  ) async throws {
    let position = LogPosition(UInt64(version))
    let entries = try decisions.filter(\.makesVersion).map { try JSONEncoder.ofBoard.encode($0.stored) }
    do throws(LogError) {
      if entries.isEmpty {
        let end = try await log.end()
        guard end == position else { throw .otherEnd(end, than: position) }
      } else {
        try await log.append(entries, at: position)
      }
    } catch {
      guard isShared, error.code == .conflict, let end = error.position, end > position else { throw error }
      store.dispatch(LogEnd(version: Int(end.offset)))
      return
    }
    store.dispatch(Appended(count: decisions.count))
    let answered = contents.withLock { contents in
      contents.count += entries.reduce(0) { $0 + $1.count }
      return decisions.map { (contents.waiting.removeValue(forKey: $0.ask.request), $0.answer) }
    }
    for (continuation, answer) in answered { continuation?.resume(returning: .success(answer)) }
    if let list = store.state()?.saved, !entries.isEmpty { await saveSnapshot(of: list) }
  }

  /// Saves the list as a snapshot if many changes follow the last snapshot.
  private func saveSnapshot(of list: ItemList) async {
    let isFull = contents.withLock { contents in
      guard contents.count >= snapshotLimit else { return false }
      contents.count = 0
      return true
    }
    guard isFull else { return }
    do {
      let position = LogPosition(UInt64(list.version))
      try await log.save(LogSnapshot(position: position, data: JSONEncoder.ofBoard.encode(list)))
      try await log.truncate(before: position)
    } catch let error as LogError where isShared && error.code == .outOfBounds {
      // Another process has saved a newer snapshot.
    } catch {
      // The log contains all changes, and the next snapshot is tried when it has grown again.
      onProblem("\(error)")
    }
  }

  // MARK: - Failures

  /// Ends the use of the log, unless it has ended.
  private func fail(_ error: LogError) {
    let isFirst = contents.withLock { contents in
      guard contents.failure == nil, !contents.isClosing || contents.isRunning else { return false }
      contents.failure = error
      return true
    }
    guard isFirst else { return }
    onProblem("\(error) Acknowledged changes are on disk. Later changes are refused.")
    onFailure()
    refuse(with: error)
  }

  /// Refuses all changes until the log has been read again.
  private func lose(_ error: LogError) {
    let (isFirst, store) = contents.withLock { contents in
      defer { contents.trouble = error }
      return (contents.trouble == nil, contents.store)
    }
    if isFirst { onProblem("\(error) Changes are refused until the log can be used again.") }
    store?.dispatch(LogLost())
    refuse(with: error)
  }

  private func refuse(with error: LogError) {
    let waiting = contents.withLock { contents in
      defer { contents.waiting = [:] }
      return contents.waiting.values.map(\.self)
    }
    for continuation in waiting { continuation.resume(returning: .failure(error)) }
  }
}

extension LogError {
  fileprivate static func otherEnd(_ end: LogPosition, than position: LogPosition) -> LogError {
    LogError(.conflict, at: end, "The log ends at position \(end), and not at position \(position).")
  }
}

extension JSONEncoder {
  fileprivate static var ofBoard: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
