import FluxCore
import FluxLog
import FluxMiddleware
import Foundation

/// The state whose journal is read.
private struct Tally: FluxState, Codable, Equatable {
  var sum = 0
  var texts: [String] = []
}

private struct Raise: Action, Codable {
  let amount: Int
  var text: String?
}

private let raises = ActionRegistry(Raise.self)

private let tallyReducer: MutatingReducer<Tally> = { tally, action in
  guard let action = action as? Raise else { return }
  tally.sum &+= action.amount
  if let text = action.text { tally.texts.append(text) }
}

/// The documented format of a journal, without the code that reads and writes it.
private enum JournalFormat {
  static let format: UInt64 = 0x316E_724A_7875_6C46
  static let halves = 64
  static let headerCount = 24

  /// A frame that an image contains.
  struct Frame {
    let subject, gap, number: UInt64
    let name, contents: Data
  }

  static func checksum(_ words: some Sequence<UInt64>) -> UInt64 {
    words.reduce(0xCBF2_9CE4_8422_2325) { value, word in
      let product = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
      return product ^ product >> 32
    }
  }

  static func progress(phase: UInt64, number: UInt64) -> UInt64 {
    let value = (number << 2 | phase & 3) & (1 << 48 - 1)
    let checksum = (value ^ (value >> 16) &* 0x9E37 ^ (value >> 32) &* 0x79B9 ^ 0x5A5A) & 0xFFFF
    return value | checksum << 48
  }

  /// The offsets of the halves of a file, and the end of the second half.
  static func bounds(of count: Int) -> [Int] {
    let half = max(0, count - halves) / 16 * 8
    return [halves, halves + half, halves + 2 * half]
  }

  private static func padded(_ bytes: Data) -> Data { bytes + Data(count: -bytes.count & 7) }

  static func bytes(of frame: Frame) -> Data {
    let name = frame.name.prefix(200)
    let first =
      UInt64(frame.contents.count) | UInt64(name.count) << 32 | (frame.subject & 0xFF) << 48
      | (frame.gap & 0xFF) << 56
    let body = padded(Data(name)) + padded(frame.contents)
    var bytes = Data()
    bytes.append(number: first)
    bytes.append(number: frame.number)
    bytes.append(number: checksum([first, frame.number] + words(of: body)))
    return bytes + body
  }

  private static func words(of body: Data) -> [UInt64] {
    stride(from: 0, to: body.count, by: 8).compactMap { body.number(UInt64.self, at: $0) }
  }

  /// Returns the parts of a frame at an offset, or `nil` if the frame does not fit.
  private static func parts(
    of image: Data, at offset: Int, end: Int
  ) -> (frame: Frame, count: Int, checksum: UInt64)? {
    guard let first = image.number(UInt64.self, at: offset),
      let number = image.number(UInt64.self, at: offset + 8), offset <= end - headerCount
    else { return nil }
    let (count, nameCount) = (Int(first & 0xFFFF_FFFF), Int(first >> 32 & 0xFFFF))
    let nameEnd = offset + headerCount + (nameCount + 7) / 8 * 8
    let frameEnd = nameEnd + (count + 7) / 8 * 8
    guard frameEnd <= end else { return nil }
    let frame = Frame(
      subject: first >> 48 & 0xFF, gap: first >> 56, number: number,
      name: Data(image[offset + headerCount..<offset + headerCount + nameCount]),
      contents: Data(image[nameEnd..<nameEnd + count]))
    let body = Data(image[offset + headerCount..<frameEnd])
    return (frame, frameEnd - offset, checksum([first, number] + words(of: body)))
  }

  /// All frames of an image, wherever they begin.
  static func frames(in image: Data) -> [Frame] {
    stride(from: halves, to: image.count, by: 8).compactMap { offset in
      guard let parts = parts(of: image, at: offset, end: image.count),
        parts.checksum == image.number(UInt64.self, at: offset + 16)
      else { return nil }
      return parts.frame
    }
  }

  /// Makes the checksums of an image right, in each half up to a frame that does not fit.
  static func repair(_ image: inout Data) {
    if let word = image.number(UInt64.self, at: 8) {
      image.replace(number: progress(phase: word & 3, number: (word << 16) >> 18), at: 8)
    }
    let bounds = bounds(of: image.count)
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      var offset = start
      while let parts = parts(of: image, at: offset, end: end) {
        image.replace(number: parts.checksum, at: offset + 16)
        offset += parts.count
      }
    }
  }
}

extension FuzzTarget {
  /// The file of a journal, which is read as a report or is refused.
  ///
  /// A report contains only actions that the file contains, in their order and without a gap, and
  /// reports what is missing. Each step of a report is replayed, or refused with a documented
  /// error. An input that is an object describes the file; any other input is the file.
  static let journals = FuzzTarget(
    "journals",
    examples: [
      """
      {"phase":2,"number":3,"halves":[[{"subject":1,"number":1,"name":"App.Tally",
      "json":{"sum":0,"texts":[]}},
      {"subject":2,"number":1,"name":"Raise","json":{"amount":1}},
      {"subject":2,"number":2,"name":"Raise","json":{"amount":2,"text":"\\"##\\u0000"}},
      {"subject":2,"number":3,"name":"Raise","json":{"amount":-3}}]]}
      """,
      """
      {"phase":1,"number":9,"halves":[[{"subject":1,"number":8,"name":"Tally","json":{"sum":3,"texts":["a"]}},
      {"subject":2,"number":8,"name":"Raise","json":{"amount":1}},
      {"subject":2,"number":9,"gap":1,"name":"Audit"}],
      [{"subject":1,"number":6,"name":"Tally","json":{"sum":1,"texts":["a"]}},
      {"subject":2,"number":6,"name":"Raise","json":{"amount":1}},
      {"subject":2,"number":7,"name":"Raise","json":{"amount":1}}]]}
      """,
      """
      {"phase":1,"number":4,"halves":[[{"subject":1,"number":1,"gap":3,"name":"Tally"},
      {"subject":2,"number":1,"name":"Raise","json":{"amount":1}}],
      [{"subject":1,"number":2,"name":"Tally","json":{"sum":0,"texts":[]}},
      {"subject":2,"number":2,"name":"Raise","json":{"amount":1}},
      {"subject":2,"number":3,"name":"Raise","json":{"amount":1}},
      {"subject":2,"number":4,"name":"Raise","json":{"amount":1,"text":"b"}}]]}
      """,
    ],
    files: [image(of: ["phase": 0, "number": 0, "halves": []])],
    words: [
      "phase", "number", "halves", "subject", "gap", "name", "json", "Raise", "Tally", "amount", "sum",
      "texts",
    ]
  ) { input, maker in
    let image = image(from: input, &maker)
    let report: CrashReport
    do throws(LogError) {
      report = try CrashReport([UInt8](image), file: "the file")
    } catch {
      try promise(error.code == .damaged, "the error is \(error.code): \(error)")
      try promise(error.message.contains("the file"), "the file is not named: \(error)")
      if maker.oneIn(64) { try expectSame(nil, as: image) }
      return .refused("damaged")
    }
    try promise(try CrashReport([UInt8](image), file: "the file") == report, "a second report differs")
    try expectWritten(report, in: image)
    for step in -1...report.entries.count + 1 { try expectReplay(of: report, upTo: step) }
    try expectReplay(of: report, upTo: nil)
    do {
      let source = try report.testSource()
      try promise(source.contains("recordedActions"), "the source is \(source)")
    } catch let error as LogError {
      try promise(error.code == .notRecorded, "the error is \(error.code): \(error)")
    }
    if maker.oneIn(64) { try expectSame(report, as: image) }
    return report.problems.isEmpty ? .accepted : .refused("problems")
  }

  // MARK: Files

  private static func image(of description: JSONValue) -> Data {
    let count = description["count"].map { min($0.word, 4_096) } ?? 1_600
    var image = Data(count: Int(count))
    guard image.count >= JournalFormat.halves else { return image }
    image.replace(number: description["format"]?.word ?? JournalFormat.format, at: 0)
    image.replace(
      number: JournalFormat.progress(
        phase: description["phase"]?.word ?? 0, number: description["number"]?.word ?? 0), at: 8)
    let bounds = JournalFormat.bounds(of: image.count)
    for (half, (start, end)) in zip(description["halves"]?.elements ?? [], zip(bounds, bounds.dropFirst())) {
      var offset = start
      for frame in half.elements {
        let bytes = JournalFormat.bytes(
          of: JournalFormat.Frame(
            subject: frame["subject"]?.word ?? 2, gap: frame["gap"]?.word ?? 0,
            number: frame["number"]?.word ?? 0, name: frame["name"]?.utf8 ?? Data(),
            contents: frame["json"]?.utf8 ?? Data()))
        guard bytes.count <= end - offset else { break }
        image.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        offset += bytes.count
      }
    }
    return image
  }

  private static func image(from input: Data, _ maker: inout InputMaker) -> Data {
    var image = input
    var isChanged = true
    do {
      image = self.image(of: try JSONDecoder().decode(JSONValue.self, from: input))
      isChanged = maker.oneIn(4)
      if isChanged { maker.scratch(&image) }
    } catch {
      // The input is the file itself.
    }
    if isChanged, !maker.oneIn(4) { JournalFormat.repair(&image) }
    return image
  }

  // MARK: Promises

  /// The entries are frames of the file with consecutive numbers, and the last one is the newest
  /// action unless there is a problem.
  private static func expectWritten(_ report: CrashReport, in image: Data) throws {
    try promise(
      report.problems.allSatisfy { $0.code == .damaged && $0.message.contains("the file") },
      "the problems are \(report.problems)")
    if let interrupted = report.interruptedEntry {
      try promise(interrupted == report.entries.count - 1, "entry \(interrupted) is interrupted")
    }
    guard let first = report.entries.first else { return }
    let frames = JournalFormat.frames(in: image).filter { $0.subject == 2 }
    func isWritten(_ entry: CrashReport.Entry, _ frame: JournalFormat.Frame) -> Bool {
      entry.name == String(decoding: frame.name.prefix(200), as: UTF8.self)
        && entry.json == (frame.gap == 0 ? frame.contents : nil)
    }
    let starts = frames.filter { isWritten(first, $0) }.map(\.number).filter { start in
      report.entries.indices.allSatisfy { index in
        frames.contains { $0.number == start &+ UInt64(index) && isWritten(report.entries[index], $0) }
      }
    }
    try promise(!starts.isEmpty, "the file does not contain \(report.entries)")
    guard report.problems.isEmpty, let word = image.number(UInt64.self, at: 8) else { return }
    let (phase, number) = (word & 3, (word << 16) >> 18)
    let isNewest = starts.contains { start in
      let last = start &+ UInt64(report.entries.count - 1)
      // The newest action can be written before its number.
      return last == number
        ? (report.interruptedEntry != nil) == (phase == 2)
        : last == number + 1 && phase == 1 && report.interruptedEntry != nil
    }
    try promise(isNewest, "the newest action is \(number), phase \(phase), and there is no problem")
  }

  private static func expectReplay(of report: CrashReport, upTo step: Int?) throws {
    do {
      let _: Tally = try report.replay(into: tallyReducer, with: raises, upTo: step)
      try promise(step.map { 0...report.entries.count ~= $0 } ?? true, "there is no step \(step as Any)")
    } catch let error as LogError {
      let isOutside = step.map { !(0...report.entries.count ~= $0) } ?? false
      let codes: [LogError.Code] = isOutside ? [.outOfBounds] : [.notRecorded, .undecodable]
      try promise(codes.contains(error.code), "step \(step as Any): \(error.code): \(error)")
    }
  }

  /// The report of a file in a directory is the same, also after the next program has started, and
  /// until it is removed.
  private static func expectSame(_ report: CrashReport?, as image: Data) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "journals-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try image.write(to: folder.appending(path: "journal"))
    func load() throws -> CrashReport? {
      do throws(LogError) {
        return try CrashReport.load(from: folder)
      } catch {
        try promise(error.code == .damaged && report == nil, "the error is \(error.code): \(error)")
        return nil
      }
    }
    let isClean = image.number(UInt64.self, at: 8).map {
      $0 & 3 == 0 && JournalFormat.progress(phase: 0, number: ($0 << 16) >> 18) == $0
    }
    let entries = isClean == true && image.count >= JournalFormat.halves ? nil : report?.entries
    try promise(try load()?.entries == entries, "the directory has another report")
    let plugin = try Plugin<Tally>.journal(in: folder, capacity: 4_096, actions: raises)
    let store = Store(reducer: tallyReducer, plugins: [plugin], state: Tally())
    store.dispatch(Raise(amount: 1))
    try promise(try load()?.entries == entries, "the next program changes the report")
    try CrashReport.remove(from: folder)
    try promise(try load() == nil, "the report remains")
    try promise(store.state.sum == 1, "the next program does not continue")
  }
}
