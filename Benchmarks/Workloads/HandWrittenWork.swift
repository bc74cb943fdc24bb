import FluxCore
import Synchronization

/// A handwritten replacement for a store with asynchronous work, with the duties of a `TaskAction`.
///
/// Work is registered in the store, belongs to the dispatch that a caller awaits, is canceled with
/// that dispatch, is counted by type, and reports its error. The replacement has no policies,
/// retries, services, and nested work.
final class HandWrittenWork<State: Sendable>: Sendable {
  private let store: HandWritten<State>
  private let work = Mutex(Register())

  private struct Register {
    var pieces: [ObjectIdentifier: HandWrittenPiece] = [:]
    var running: [ObjectIdentifier: Int] = [:]
  }

  init(_ store: HandWritten<State>) {
    self.store = store
  }

  /// Dispatches an action, starts its work, and waits until the work has ended.
  func dispatchAndWait(
    _ action: any Action, _ operation: @escaping @Sendable (_ dispatch: DispatchFunction) async throws -> Void
  ) async {
    let handle = HandWrittenHandle()
    HandWrittenHandle.$current.withValue(handle) {
      store.dispatch(action)
      start(action, operation)
    }
    await handle.finished()
  }

  private func start(
    _ action: any Action, _ operation: @escaping @Sendable (_ dispatch: DispatchFunction) async throws -> Void
  ) {
    let piece = HandWrittenPiece()
    let id = ObjectIdentifier(piece)
    let kind = ObjectIdentifier(type(of: action))
    guard let handle = HandWrittenHandle.current, handle.begin(piece) else { return }
    work.withLock {
      $0.pieces[id] = piece
      $0.running[kind, default: 0] += 1
    }
    piece.set(
      Task { [store] in
        let dispatch: DispatchFunction = { if !piece.isCancelled { store.dispatch($0) } }
        do { try await operation(dispatch) } catch { dispatch(Failed()) }
        work.withLock {
          $0.pieces[id] = nil
          $0.running[kind, default: 0] -= 1
        }
        handle.end(piece)
      })
  }

  private struct Failed: Action {}
}

/// A dispatch that a caller awaits and can cancel.
private final class HandWrittenHandle: Sendable {
  @TaskLocal static var current: HandWrittenHandle?

  private struct Contents {
    var pieces: [HandWrittenPiece] = []
    var isCancelled = false
    var waiting: UnsafeContinuation<Void, Never>?
  }

  private let contents = Mutex(Contents())

  func begin(_ piece: HandWrittenPiece) -> Bool {
    contents.withLock { contents in
      if !contents.isCancelled { contents.pieces.append(piece) }
      return !contents.isCancelled
    }
  }

  func end(_ piece: HandWrittenPiece) {
    let waiting = contents.withLock { contents in
      contents.pieces.removeAll { $0 === piece }
      return contents.pieces.isEmpty ? contents.waiting.take() : nil
    }
    waiting?.resume()
  }

  func cancel() {
    let pieces = contents.withLock { contents in
      contents.isCancelled = true
      return contents.pieces
    }
    for piece in pieces { piece.cancel() }
  }

  func finished() async {
    guard contents.withLock({ !$0.pieces.isEmpty }) else { return }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isDone = contents.withLock { contents in
          if !contents.pieces.isEmpty { contents.waiting = continuation }
          return contents.pieces.isEmpty
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
  }
}

/// A piece of handwritten work.
private final class HandWrittenPiece: Sendable {
  private struct Contents {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  private let contents = Mutex(Contents())

  var isCancelled: Bool { contents.withLock { $0.isCancelled } }

  func set(_ task: Task<Void, Never>) {
    let isCancelled = contents.withLock { contents in
      contents.task = task
      return contents.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = contents.withLock { contents in
      contents.isCancelled = true
      return contents.task
    }
    task?.cancel()
  }
}
