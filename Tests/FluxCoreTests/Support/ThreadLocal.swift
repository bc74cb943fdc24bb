import Foundation

/// A mark on the current thread.
final class ThreadLocal: Sendable {
  private let key = UUID().uuidString

  var isMarked: Bool { Thread.current.threadDictionary[key] != nil }

  func mark() {
    Thread.current.threadDictionary[key] = true
  }
}
