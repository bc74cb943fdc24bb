import Synchronization

/// A collection of problems and performed operations that any thread can extend.
final class Findings: Sendable {
  private let broken = Mutex<[String]>([])
  private let done = Mutex<[String: Int]>([:])

  var problems: [String] { broken.withLock { $0 } }
  var counts: [(String, Int)] { done.withLock { $0.sorted { $0.key < $1.key } } }

  func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    guard !holds else { return }
    let what = what()
    // The first problems are sufficient.
    broken.withLock { if $0.count < 20 { $0.append(what) } }
  }

  /// Counts an operation.
  func count(_ what: String) { done.withLock { $0[what, default: 0] += 1 } }
}
