import FluxCore
import Foundation

/// A buffer of log lines that have not been written yet, with the queue that writes them.
///
/// Code that blocks a thread must not run on the cooperative thread pool. The writer therefore
/// runs on a serial queue, which retains the buffer while there are lines to write.
final class LogBuffer: Sendable {
  /// A closure that creates a line.
  ///
  /// The writer calls the closure on its own thread, because creating a line takes time.
  typealias Line = @Sendable () -> String

  private struct Contents {
    var rules: LogBufferStateMachine<Line, DispatchSemaphore>
    /// The thread on which lines are being written.
    var writer: ThreadIdentity?
  }

  private let contents: Locked<Contents>
  private let queue = DispatchQueue(label: "Flux.LogBuffer", qos: .utility)
  private let write: @Sendable (String) -> Void

  init(capacity: Int, write: @escaping @Sendable (String) -> Void) {
    contents = Locked(Contents(rules: LogBufferStateMachine(capacity: capacity)))
    self.write = write
    ExitFlush.add(self)
  }

  deinit {
    ExitFlush.remove(self)
  }

  /// Appends a line, or drops it if the buffer is full.
  func append(_ line: @escaping Line) {
    switch contents.withLock({ $0.rules.offered(line) }) {
    case .startsWriter: queue.async { self.writeAll() }
    case .waits, .isDropped: return
    }
  }

  /// Waits until all lines in the buffer are written, unless they are being written on the
  /// calling thread.
  ///
  /// - Returns: A Boolean value that indicates whether all lines have been written.
  func flush(until deadline: DispatchTime) -> Bool {
    let semaphore = DispatchSemaphore(value: 0)
    let thread = ThreadIdentity.current
    let mayWait = contents.withLock { contents -> Bool? in
      if contents.writer == thread { return false }
      return contents.rules.hasToWait(semaphore) ? true : nil
    }
    guard let mayWait else { return true }
    return mayWait && semaphore.wait(timeout: deadline) == .success
  }

  private func writeAll() {
    let thread = ThreadIdentity.current
    while true {
      let (step, satisfied) = contents.withLock { contents in
        let response = contents.rules.writerIsReady()
        if case .stop = response.step { contents.writer = nil } else { contents.writer = thread }
        return response
      }
      for semaphore in satisfied { semaphore.signal() }
      switch step {
      case .write(let line): write(line())
      case .tellDropped(let count): write("… \(count) \(count == 1 ? "line" : "lines") dropped")
      case .stop: return
      }
    }
  }
}
