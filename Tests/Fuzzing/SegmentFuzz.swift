import FluxLog
import FluxMiddleware
import Foundation
import TestSupport

/// The files of a log in memory.
private final class SegmentsInMemory: SegmentStorage {
  private let contents: Shared<[String: Data]>

  init(_ files: [String: Data]) { contents = Shared(files) }

  var files: [String: Data] { contents.value }

  func names() throws -> [String] { Array(files.keys) }
  func read(_ name: String) throws -> Data? { files[name] }
  func write(_ data: Data, to name: String) throws { contents.change { $0[name] = data } }
  func append(_ data: Data, to name: String) throws { contents.change { $0[name, default: Data()] += data } }
  func rename(_ name: String, to newName: String) throws {
    contents.change { $0[newName] = $0.removeValue(forKey: name) }
  }
  func remove(_ name: String) throws { contents.change { $0[name] = nil } }
}

/// The documented format of a segment, without the code that reads and writes it.
private enum SegmentFormat {
  static let lead = Data("FLUXLOG1".utf8)
  static let headerCount = 29

  static func checksum(_ bytes: Data) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  static func name(of base: UInt64) -> String {
    let digits = "\(base)"
    return "segment-" + String(repeating: "0", count: max(0, 20 - digits.count)) + digits
  }

  static func frame(kind: UInt8, at position: UInt64, _ body: Data) -> Data {
    var frame = Data()
    frame.append(number: UInt32(body.count))
    frame.append(kind)
    frame.append(number: position)
    frame.append(number: checksum(frame))
    frame.append(number: checksum(body))
    return frame + body
  }

  static func body(of entries: [Data]) -> Data {
    entries.reduce(into: Data()) { body, entry in
      body.append(number: UInt32(entry.count))
      body.append(entry)
    }
  }

  /// Makes the checksums of a file right, up to a frame that does not fit.
  static func repair(_ file: inout Data) {
    var offset = lead.count
    while let count = file.number(UInt32.self, at: offset), file.count - offset >= headerCount {
      let start = file.startIndex + offset
      file.replace(number: checksum(file[start..<start + 13]), at: offset + 13)
      guard Int(count) <= file.count - offset - headerCount else { return }
      let body = start + headerCount
      file.replace(number: checksum(file[body..<body + Int(count)]), at: offset + 21)
      offset += headerCount + Int(count)
    }
  }

  /// What can be read up to the first fault.
  struct Contents {
    var snapshot: Data?
    var entries: [Data] = []
    var isWhole = false
  }

  /// Reads a file, or returns `nil` if its snapshot cannot be read.
  static func read(_ file: Data, base: UInt64) -> Contents? {
    guard file.starts(with: lead) else { return nil }
    var rest = file.dropFirst(lead.count)
    guard let first = takeFrame(from: &rest), first.kind == 1, first.position == base else { return nil }
    var contents = Contents()
    if first.body.first == 1 { contents.snapshot = first.body.dropFirst() }
    while !rest.isEmpty {
      guard let frame = takeFrame(from: &rest), frame.kind == 2,
        frame.position == base &+ UInt64(contents.entries.count), let entries = split(frame.body)
      else { return contents }
      contents.entries += entries
    }
    contents.isWhole = true
    return contents
  }

  private static func takeFrame(from rest: inout Data) -> (kind: UInt8, position: UInt64, body: Data)? {
    guard rest.count >= headerCount, let count = rest.number(UInt32.self, at: 0),
      let position = rest.number(UInt64.self, at: 5), Int(count) <= rest.count - headerCount
    else { return nil }
    let body = Data(rest.dropFirst(headerCount).prefix(Int(count)))
    guard rest.number(UInt64.self, at: 13) == checksum(rest.prefix(13)),
      rest.number(UInt64.self, at: 21) == checksum(body)
    else { return nil }
    defer { rest = rest.dropFirst(headerCount + Int(count)) }
    return (rest[rest.startIndex + 4], position, body)
  }

  private static func split(_ body: Data) -> [Data]? {
    var (entries, rest) = ([Data](), body)
    while !rest.isEmpty {
      guard let count = rest.number(UInt32.self, at: 0), Int(count) <= rest.count - 4 else { return nil }
      entries.append(Data(rest.dropFirst(4).prefix(Int(count))))
      rest = rest.dropFirst(4 + Int(count))
    }
    return entries
  }
}

extension FuzzTarget {
  /// `FileLog`, on a folder with any files: the log opens with what its files contain and reports
  /// the rest, or is refused without a change.
  ///
  /// An opened log can be extended and opened again. An input that is an object describes the
  /// files; any other input is the newest file.
  static let segments = FuzzTarget(
    "log segments",
    examples: [
      """
      {"files":[{"frames":[{"kind":1,"position":0,"snapshot":null},
      {"kind":2,"position":0,"entries":["one","two"]},{"kind":2,"position":2,"entries":["three"]}]}]}
      """,
      """
      {"files":[{"name":0,"frames":[{"kind":1,"position":0,"snapshot":null},
      {"kind":2,"position":0,"entries":["one","two","three"]}]},
      {"name":2,"frames":[{"kind":1,"position":2,"snapshot":"two"},
      {"kind":2,"position":2,"entries":["three"]},
      {"kind":2,"position":3,"entries":["","five"]},{"kind":2,"position":5,"entries":[]}]}]}
      """,
      """
      {"files":[{"frames":[{"kind":1,"position":0,"snapshot":"start"}]},
      {"frames":[{"kind":1,"position":3,"snapshot":""},{"kind":2,"position":3,"entries":["d"]}]},
      {"frames":[{"kind":1,"position":4,"snapshot":"four"},{"kind":2,"position":4,"entries":["e","f"]}]},
      {"name":"segment.partial","frames":[{"kind":1,"position":6,"snapshot":"six"}]}]}
      """,
    ],
    files: [
      SegmentFormat.lead + SegmentFormat.frame(kind: 1, at: 0, Data([0]))
        + SegmentFormat.frame(kind: 2, at: 0, SegmentFormat.body(of: [Data("one".utf8), Data("two".utf8)]))
        + SegmentFormat.frame(kind: 2, at: 2, SegmentFormat.body(of: [Data("three".utf8)]))
    ],
    words: ["FLUXLOG1", "files", "name", "frames", "kind", "position", "snapshot", "entries", "body"]
  ) { input, maker in
    let files = segments(from: input, &maker)
    let storage = SegmentsInMemory(files)
    let log: FileLog
    do throws(LogError) {
      log = try FileLog(storage, usesRestOfDamaged: maker.oneIn(2))
    } catch {
      try promise(error.code == .damaged, "the error is \(error.code): \(error)")
      try promise(files.keys.contains { error.message.contains($0) }, "no file is named: \(error)")
      try promise(storage.files == files, "a refusal has changed the files")
      return .refused("damaged")
    }
    try await expectRead(log, files, storage)
    let (before, snapshot, end) = (try await entries(of: log), try await log.snapshot(), try await log.end())
    try await log.append([Data("new".utf8)], at: end)
    let next = try FileLog(storage)
    try promise(next.problems.isEmpty, "the second opening has problems: \(next.problems)")
    try promise(try await next.snapshot() == snapshot, "the second opening has another snapshot")
    try promise(try await entries(of: next) == before.map { $0 + ["new"] }, "the second opening differs")
    guard let problem = log.problems.first else { return .accepted }
    return .refused(problem.isInterruptedWrite ? "interruptedWrite" : "restOfDamaged")
  }

  // MARK: Files

  private static func segments(from input: Data, _ maker: inout InputMaker) -> [String: Data] {
    var files: [String: Data] = [:]
    do {
      let description = try JSONDecoder().decode(JSONValue.self, from: input)
      for file in description["files"]?.elements ?? [] {
        let frames = (file["frames"] ?? .null).elements
        var bytes = SegmentFormat.lead
        for frame in frames { bytes += self.frame(frame) }
        if maker.oneIn(4) { change(&bytes, &maker) }
        let base = frames.first?["position"]?.word ?? 0
        let name =
          switch file["name"] {
          case .string(let name): name
          case let number?: SegmentFormat.name(of: number.word)
          case nil: SegmentFormat.name(of: base)
          }
        files[name] = bytes
      }
    } catch {
      var bytes = input
      if !maker.oneIn(4) { SegmentFormat.repair(&bytes) }
      let base = bytes.number(UInt64.self, at: SegmentFormat.lead.count + 5) ?? 0
      files[SegmentFormat.name(of: base)] = bytes
    }
    return files
  }

  private static func frame(_ frame: JSONValue) -> Data {
    let kind = UInt8(truncatingIfNeeded: frame["kind"]?.word ?? 2)
    let body: Data =
      switch (frame["body"], frame["entries"], frame["snapshot"]) {
      case (let bytes?, _, _): bytes.utf8
      case (_, let entries?, _): SegmentFormat.body(of: entries.elements.map(\.utf8))
      case (_, _, .null), (_, _, nil): Data([0])
      case (_, _, let snapshot?): Data([1]) + snapshot.utf8
      }
    return SegmentFormat.frame(kind: kind, at: frame["position"]?.word ?? 0, body)
  }

  /// Changes some bytes, and mostly makes the checksums right again.
  private static func change(_ bytes: inout Data, _ maker: inout InputMaker) {
    maker.scratch(&bytes)
    if !maker.oneIn(4) { SegmentFormat.repair(&bytes) }
  }

  // MARK: Promises

  /// Returns the entries of a log as far as it contains them, or `nil` if an older file is damaged.
  private static func entries(of log: FileLog) async throws -> [String]? {
    var start = LogPosition.start
    while true {
      do throws(LogError) {
        let entries = try await log.entries(from: start, limit: .max)
        for (number, entry) in entries.enumerated() {
          guard entry.position == start.advanced(by: number) else { throw LogError(.unreadable, "a gap") }
        }
        return entries.map { String(decoding: $0.data, as: UTF8.self) }
      } catch {
        guard error.code == .truncated, let first = error.position, first > start else {
          try promise(error.code == .damaged, "the error is \(error.code): \(error)")
          try promise(error.message.contains("segment-"), "no file is named: \(error)")
          return nil
        }
        start = first
      }
    }
  }

  /// Compares an opened log with its files.
  private static func expectRead(_ log: FileLog, _ files: [String: Data], _ storage: SegmentsInMemory)
    async throws
  {
    for problem in log.problems {
      guard let file = files[problem.file] else { throw BrokenPromise("\(problem)") }
      try promise(0...file.count ~= problem.offset, "the offset is not in the file: \(problem)")
      let isKept = storage.files.contains { $0.key.hasPrefix("damaged-") && $0.value == file }
      try promise(isKept || problem.isInterruptedWrite, "the file is not kept: \(problem)")
    }
    let bases = files.keys.compactMap { name in
      UInt64(name.dropFirst(8)).flatMap { base in
        SegmentFormat.name(of: base) == name && base <= UInt64(Int64.max) ? base : nil
      }
    }
    guard let base = bases.max(), let file = files[SegmentFormat.name(of: base)] else {
      return try promise(log.problems.isEmpty, "there is no file: \(log.problems)")
    }
    let contents = SegmentFormat.read(file, base: base)
    try promise(log.problems.isEmpty == (contents?.isWhole ?? false), "the problems are \(log.problems)")
    if let contents {
      let found = try await log.entries(from: LogPosition(base), limit: .max).map(\.data)
      try promise(found == contents.entries, "the newest file does not contain \(found)")
      try promise(try await log.snapshot()?.data == contents.snapshot, "the snapshot is not in the file")
    }
    for entry in try await entries(of: log) ?? [] {
      let bytes = SegmentFormat.body(of: [Data(entry.utf8)])
      // Text that is not UTF-8 cannot be found as bytes.
      let isWritten = entry.contains("\u{FFFD}") || files.values.contains { $0.firstRange(of: bytes) != nil }
      try promise(isWritten, "\(entry) was not written")
    }
  }
}
