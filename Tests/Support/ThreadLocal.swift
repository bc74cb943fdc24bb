import Foundation

/// A mark on the current thread.
package final class ThreadLocal: Sendable {
  private let key = UUID().uuidString

  package init() {}

  package var isMarked: Bool { Thread.current.threadDictionary[key] != nil }

  package func mark() {
    Thread.current.threadDictionary[key] = true
  }
}
