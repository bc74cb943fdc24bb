import FluxMiddleware
import Foundation
import TestSupport

/// A storage whose operations fail, in every state that a failing storage may leave.
final class FailingStorage: StateStorage {
  enum Failure: CaseIterable {
    /// Nothing has been done.
    case undone
    /// The operation has been performed.
    case done
    /// A part of the file has been written.
    case inPart
  }

  struct Trouble: Error {}

  let files: InMemoryStorage
  private let operations = Shared(0)
  private let failing: Set<Int>
  private let failure: Failure

  init(_ files: [String: Data], failing: Set<Int>, as failure: Failure) {
    self.files = InMemoryStorage(files: files)
    self.failing = failing
    self.failure = failure
  }

  /// The number of requested operations.
  var count: Int { operations.value }

  func read(_ name: String) throws -> Data? {
    try perform { try files.read(name) }
  }

  func write(_ data: Data, to name: String) throws {
    try perform(
      inPart: { try files.write(data.prefix(data.count / 2), to: name) },
      { try files.write(data, to: name) })
  }

  func rename(_ name: String, to newName: String) throws {
    try perform { try files.rename(name, to: newName) }
  }

  func names() throws -> [String] {
    try perform { try files.names() }
  }

  func synchronize(_ name: String) throws {
    try perform {}
  }

  private func perform<Result>(inPart: () throws -> Void = {}, _ body: () throws -> Result) throws -> Result {
    guard failing.contains(operations.increment() - 1) else { return try body() }
    switch failure {
    case .undone: break
    case .done: _ = try body()
    case .inPart: try inPart()
    }
    throw Trouble()
  }
}
