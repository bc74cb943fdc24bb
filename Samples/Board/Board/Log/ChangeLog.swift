import Flux
import FluxLog
import Foundation
import Synchronization

/// A plug-in that appends every change to a log before the change is acknowledged, and that
/// appends many changes in one write.
///
/// The plug-in receives each change with its result, in the order in which the changes were
/// reduced. Only one write runs at a time, and the changes that are reduced during a write form
/// the next write. If 200 requests arrive at the same time, they share two writes. When a write
/// is on disk, the plug-in dispatches ``Saved``, and then the requests receive their answers. A
/// client that reads the list after it has received an answer therefore sees its change.
///
/// After a write fails, no change is acknowledged anymore: the list in memory is ahead of the
/// guaranteed list.
final class ChangeLog: Sendable {
  /// The contents of one write.
  private struct Batch {
    var changes: [Change] = []
    var answers: [(request: UInt64, answer: Answer)] = []
    /// The list with all these changes.
    var list: ItemList?
  }

  private struct Contents {
    var requests: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Result<Answer, LogError>, Never>] = [:]
    var batch = Batch()
    var isWriting = false
    var finishing: [CheckedContinuation<Void, Never>] = []
    var failure: LogError?
    var dispatch: DispatchFunction?
    /// The number of bytes since the last snapshot.
    var count: Int
  }

  private let log: any ActionLog
  private let snapshotLimit: Int
  private let contents: Mutex<Contents>
  private let onProblem: @Sendable (String) -> Void
  private let onFailure: @Sendable () -> Void

  /// - Parameters:
  ///   - log: The log, in which the position of an entry is the version before its change.
  ///   - count: The number of bytes in the log since the last snapshot.
  ///   - snapshotLimit: The number of bytes after which a snapshot is saved.
  ///   - onProblem: Called with a description of each problem.
  ///   - onFailure: Called once when a write has failed, before the waiting requests are notified.
  init(
    _ log: any ActionLog, count: Int, snapshotLimit: Int, onProblem: @escaping @Sendable (String) -> Void,
    onFailure: @escaping @Sendable () -> Void
  ) {
    self.log = log
    self.snapshotLimit = snapshotLimit
    self.onProblem = onProblem
    self.onFailure = onFailure
    contents = Mutex(Contents(count: count))
  }

  /// The plug-in that receives every change.
  var plugin: Plugin<BoardState> {
    Plugin(
      middleware: { [self] dispatch, _ in
        contents.withLock { $0.dispatch = dispatch }
        return { next in next }
      },
      onTransition: .states { [self] transition in
        guard let ask = transition.action as? Ask, let answer = transition.after.answer else { return }
        reduced(ask, to: answer, before: transition.before.newest, after: transition.after.newest)
      },
      onStoreEnd: { [self] _ in contents.withLock { $0.dispatch = nil } })
  }

  /// Dispatches a change, and waits until its result is on disk.
  func answer(to change: Change, dispatch: DispatchFunction) async throws(LogError) -> Answer {
    let result = await withCheckedContinuation { continuation in
      let request: UInt64? = contents.withLock { contents in
        guard contents.failure == nil else { return nil }
        contents.requests += 1
        contents.waiting[contents.requests] = continuation
        return contents.requests
      }
      if let request {
        dispatch(Ask(request: request, change: change))
      } else {
        refuse([continuation])
      }
    }
    return try result.get()
  }

  /// Waits until no write is running.
  ///
  /// - Throws: The error of the failed write, after which nothing was written.
  func finish() async throws(LogError) {
    await withCheckedContinuation { continuation in
      let isIdle = contents.withLock { contents in
        if contents.isWriting { contents.finishing.append(continuation) }
        return !contents.isWriting
      }
      if isIdle { continuation.resume() }
    }
    if let failure = contents.withLock({ $0.failure }) { throw failure }
  }

  // MARK: - The store

  private func reduced(_ ask: Ask, to answer: Answer, before: ItemList, after: ItemList) {
    let begins = contents.withLock { contents in
      contents.batch.answers.append((ask.request, answer))
      if after.version != before.version {
        contents.batch.changes.append(ask.change)
        contents.batch.list = after
      }
      defer { contents.isWriting = true }
      return !contents.isWriting
    }
    if begins { Task { await write() } }
  }

  // MARK: - Writing

  /// Writes until no changes are waiting.
  private func write() async {
    while let batch = takeBatch() {
      if let list = batch.list {
        do {
          try await append(batch.changes, before: list)
        } catch {
          fail(error as? LogError ?? LogError(.unwritable, "The changes cannot be encoded: \(error)."))
          continue
        }
        contents.withLock { $0.dispatch }?(Saved(list: list))
      }
      let answered = contents.withLock { contents in
        batch.answers.map { request, answer in (contents.waiting.removeValue(forKey: request), answer) }
      }
      for (continuation, answer) in answered { continuation?.resume(returning: .success(answer)) }
      if let list = batch.list { await saveSnapshot(of: list) }
    }
  }

  private func takeBatch() -> Batch? {
    let (batch, finishing) = contents.withLock { contents -> (Batch?, [CheckedContinuation<Void, Never>]) in
      guard contents.failure == nil, !contents.batch.answers.isEmpty else {
        contents.isWriting = false
        defer { contents.finishing = [] }
        return (nil, contents.finishing)
      }
      defer { contents.batch = Batch() }
      return (contents.batch, [])
    }
    for continuation in finishing { continuation.resume() }
    return batch
  }

  /// Appends changes, whose result is a list.
  private func append(_ changes: [Change], before list: ItemList) async throws {
    let entries = try changes.map { try JSONEncoder.ofBoard.encode($0) }
    try await log.append(entries, at: LogPosition(UInt64(list.version - changes.count)))
    contents.withLock { $0.count += entries.reduce(0) { $0 + $1.count } }
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
    } catch {
      // The log contains all changes, and the next snapshot is tried when it has grown again.
      onProblem("\(error)")
    }
  }

  private func fail(_ error: LogError) {
    contents.withLock { $0.failure = error }
    onProblem("\(error) Acknowledged changes are on disk. Later changes are refused.")
    onFailure()
    refuse(
      contents.withLock { contents in
        defer { contents.waiting = [:] }
        return Array(contents.waiting.values)
      })
  }

  private func refuse(_ waiting: [CheckedContinuation<Result<Answer, LogError>, Never>]) {
    guard let failure = contents.withLock({ $0.failure }) else { return }
    for continuation in waiting { continuation.resume(returning: .failure(failure)) }
  }
}

extension JSONEncoder {
  fileprivate static var ofBoard: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
