import FluxLog
import Foundation
import TestSupport

/// A storage of segments in memory, which can refuse and delay operations, end in the middle of an
/// operation, and lose data that is not safe from a power loss.
final class TestSegments: SegmentStorage {
  struct Killed: Error {}

  /// A failure of one kind of operation.
  enum Refusal {
    case none, writes, appends, renames, removals, reads
    /// The appended bytes can be read, but a power loss removes them, as after a failed `fsync`.
    case safety
  }

  private struct Contents {
    var files: [String: Data]
    var safe: [String: Data]
    var refusal = Refusal.none
    /// The number of changes before the program is killed, or `nil` if it is not killed.
    var left: Int?
    var appends = 0
    var gate: Gate?
  }

  private let contents: Shared<Contents>
  /// The part of the last write of a killed program that is in the file, in quarters.
  private let quarters: Int
  /// An element for each append that has begun.
  let begun = EventLog<String>()

  init(_ files: [String: Data] = [:], killedAfter changes: Int? = nil, leaving quarters: Int = 0) {
    contents = Shared(Contents(files: files, safe: files, left: changes))
    self.quarters = quarters
  }

  /// The contents of all files.
  var files: [String: Data] {
    get { contents.value.files }
    set { contents.change { $0.files = newValue } }
  }

  /// The contents that remain after a power loss.
  var safeFiles: [String: Data] { contents.value.safe }
  var isKilled: Bool { contents.value.left.map { $0 < 0 } ?? false }
  var appends: Int { contents.value.appends }

  func refuse(_ refusal: Refusal) {
    contents.change { $0.refusal = refusal }
  }

  /// Delays appends until the gate is opened.
  func delay(until gate: Gate?) {
    contents.change { $0.gate = gate }
  }

  func names() throws -> [String] {
    try change(counts: false, .reads) { Array($0.files.keys) }
  }

  func read(_ name: String) throws -> Data? {
    try change(counts: false, .reads) { $0.files[name] }
  }

  func write(_ data: Data, to name: String) throws {
    try change(.writes) { contents in
      contents.files[name] = data
      contents.safe[name] = data
    } ifKilled: { contents in
      contents.files[name] = data.prefix(data.count * quarters / 4)
      contents.safe[name] = contents.files[name]
    }
  }

  func append(_ data: Data, to name: String) throws {
    begun.record(name)
    contents.value.gate?.wait()
    try change(.appends) { contents in
      contents.files[name, default: Data()] += data
      if contents.refusal == .safety { throw Killed() }
      contents.safe[name] = contents.files[name]
      contents.appends += 1
    } ifKilled: { contents in
      contents.files[name, default: Data()] += data.prefix(data.count * quarters / 4)
    }
  }

  func rename(_ name: String, to newName: String) throws {
    try change(.renames) { contents in
      contents.files[newName] = contents.files.removeValue(forKey: name)
      contents.safe[newName] = contents.safe.removeValue(forKey: name)
    } ifKilled: { contents in
      // The new name can be visible, and a power loss restores the old names.
      guard quarters == 4 else { return }
      contents.files[newName] = contents.files.removeValue(forKey: name)
    }
  }

  func remove(_ name: String) throws {
    try change(.removals) { contents in
      contents.files[name] = nil
      contents.safe[name] = nil
    } ifKilled: { contents in
      // The file can be gone, and a power loss restores it.
      if quarters == 4 { contents.files[name] = nil }
    }
  }

  private func change<Value>(
    counts: Bool = true, _ kind: Refusal, _ body: (inout Contents) throws -> Value,
    ifKilled: (inout Contents) -> Void = { _ in }
  ) throws -> Value {
    let result = contents.change { contents -> Result<Value, any Error> in
      if contents.refusal == kind { return .failure(Killed()) }
      if let left = contents.left {
        if left < 0 { return .failure(Killed()) }
        if counts { contents.left = left - 1 }
        if counts, left == 0 {
          ifKilled(&contents)
          return .failure(Killed())
        }
      }
      return Result { try body(&contents) }
    }
    return try result.get()
  }
}

extension Data {
  init(_ text: String) {
    self.init(text.utf8)
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}

extension ActionLog {
  /// The entries from a position on, as text.
  func texts(from position: LogPosition = .start) async throws(LogError) -> [String] {
    try await entries(from: position).map(\.data.text)
  }

  /// Appends texts at the end.
  @discardableResult
  func append(_ texts: String...) async throws(LogError) -> LogPosition {
    try await append(texts.map { Data($0) }, at: await end())
  }
}
