import Dispatch
import Flux
import Synchronization

/// A journal that writes every change to a storage before the change is acknowledged, and that
/// combines many changes in one write.
///
/// The plug-in receives each change with its result, in the order in which the changes were
/// reduced. Only one write runs at a time, and the changes that are reduced during a write form
/// the next write. A write therefore contains the changes of all waiting requests: if 200
/// requests arrive at the same time, they share two writes. When a write is on disk, the journal
/// dispatches ``Saved``, and then the requests receive their answers. A client that reads the
/// list after it has received an answer therefore sees its change.
///
/// After a write fails, no change is acknowledged anymore: the list in memory is ahead of the
/// guaranteed list.
final class Journal: Sendable {
  /// The contents of one write.
  private struct Batch {
    var entries: [JournalEntry] = []
    var answers: [(request: UInt64, answer: Answer)] = []
    /// The list with all these changes.
    var list: ItemList?
  }

  private struct Contents {
    var requests: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Result<Answer, JournalError>, Never>] = [:]
    var batch = Batch()
    var isWriting = false
    var failure: JournalError?
    var dispatch: DispatchFunction?
  }

  private let writer: SegmentWriter
  private let contents = Mutex(Contents())
  private let queue = DispatchQueue(label: "journal")
  private let onFailure: @Sendable (JournalError) -> Void

  /// - Parameters:
  ///   - writer: The writer of the changes.
  ///   - onFailure: Called once when a write has failed, before the waiting requests are
  ///     notified.
  init(writer: SegmentWriter, onFailure: @escaping @Sendable (JournalError) -> Void) {
    self.writer = writer
    self.onFailure = onFailure
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
  func answer(
    to change: Change, dispatch: DispatchFunction
  ) async throws(JournalError) -> Answer {
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

  /// The error of the failed write, after which the journal writes nothing; `nil` if no write has
  /// failed.
  var failure: JournalError? { contents.withLock { $0.failure } }

  /// Waits until no write is running.
  func finish() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    await writer.finish()
  }

  // MARK: - The store

  private func reduced(_ ask: Ask, to answer: Answer, before: ItemList, after: ItemList) {
    let begins = contents.withLock { contents in
      contents.batch.answers.append((ask.request, answer))
      if after.version != before.version {
        contents.batch.entries.append(JournalEntry(version: after.version, change: ask.change))
        contents.batch.list = after
      }
      defer { contents.isWriting = true }
      return !contents.isWriting
    }
    if begins { queue.async { self.write() } }
  }

  // MARK: - Writing

  /// Writes until no changes are waiting.
  private func write() {
    while let batch = takeBatch() {
      if let list = batch.list {
        do {
          try writer.append(batch.entries)
        } catch {
          fail(.unwritable(reason: "\(error)"))
          continue
        }
        contents.withLock { $0.dispatch }?(Saved(list: list))
        writer.next(after: list.version)
      }
      let answered = contents.withLock { contents in
        batch.answers.map { request, answer in (contents.waiting.removeValue(forKey: request), answer) }
      }
      for (continuation, answer) in answered { continuation?.resume(returning: .success(answer)) }
    }
  }

  private func takeBatch() -> Batch? {
    contents.withLock { contents in
      guard contents.failure == nil, !contents.batch.answers.isEmpty else {
        contents.isWriting = false
        return nil
      }
      defer { contents.batch = Batch() }
      return contents.batch
    }
  }

  private func fail(_ error: JournalError) {
    contents.withLock { $0.failure = error }
    onFailure(error)
    refuse(
      contents.withLock { contents in
        defer { contents.waiting = [:] }
        return Array(contents.waiting.values)
      })
  }

  private func refuse(_ waiting: [CheckedContinuation<Result<Answer, JournalError>, Never>]) {
    guard let failure else { return }
    for continuation in waiting { continuation.resume(returning: .failure(failure)) }
  }
}
