/// The valid part of a journal: the newest actions without a gap in their numbers, and the
/// snapshots among them.
struct JournalContents: Hashable, Sendable {
  /// The contents of a half: a snapshot, and the actions after it.
  struct Run: Hashable, Sendable {
    /// The number of the first action after the snapshot.
    let first: UInt64
    let snapshot: JournalRecord
    var actions: [JournalRecord] = []

    /// The number of the action after the last action.
    var next: UInt64 { first &+ UInt64(actions.count) }
  }

  /// A reason why contents are missing or not certain.
  enum Flaw: Hashable, Sendable {
    /// The format is not the format of a journal.
    case format
    /// The record of the progress was changed, or is older than the newest action.
    case progress
    /// Actions with these numbers cannot be read.
    case missing(ClosedRange<UInt64>)
    /// No snapshot can be read.
    case noSnapshot
  }

  /// One or two runs, or no run if the journal has no valid snapshot.
  ///
  /// The first action of the second run follows the last action of the first run.
  let runs: [Run]
  /// The number of the action that was being reduced when the program ended, or `nil`.
  let interrupted: UInt64?
  /// A Boolean value that indicates whether the program has ended normally, or has not used the
  /// journal.
  let isClean: Bool
  let flaws: [Flaw]

  /// Reads the contents of a file.
  init(_ bytes: [UInt8]) {
    let layout = JournalLayout(count: bytes.count)
    var runs = JournalHalf.allCases.compactMap { Run(bytes, half: $0, of: layout) }
    runs.sort { $0.first < $1.first }
    var flaws: [Flaw] = []
    let header = bytes.count >= JournalLayout.firstHalf
    if !header || bytes.word(at: 0) != JournalLayout.format { flaws.append(.format) }
    if runs.count == 2, runs[0].next != runs[1].first {
      if runs[0].next < runs[1].first { flaws.append(.missing(runs[0].next...runs[1].first - 1)) }
      runs.removeFirst()
    }
    let progress = header ? JournalProgress(word: bytes.word(at: JournalLayout.progressOffset)) : nil
    self.runs = runs
    isClean = progress?.phase == .clean
    let (interrupted, flaw) = Self.compare(progress, with: runs.last)
    self.interrupted = interrupted
    self.flaws = flaws + (flaw.map { [$0] } ?? [])
  }

  /// Returns the number of the action that was being reduced, and the flaw that the record of the
  /// progress reveals.
  private static func compare(
    _ progress: JournalProgress?, with run: Run?
  ) -> (interrupted: UInt64?, flaw: Flaw?) {
    guard let run else { return (nil, progress == JournalProgress(.clean, number: 0) ? nil : .noSnapshot) }
    guard let progress else { return (nil, .progress) }
    let last = run.next &- 1
    if progress.number > last { return (nil, .missing(run.next...progress.number)) }
    if progress.number == last {
      guard progress.phase == .reducing else { return (nil, nil) }
      // A snapshot is written while no action is being reduced.
      return run.actions.isEmpty ? (nil, .progress) : (last, nil)
    }
    // The program can end between the store of the frame and the store of the progress.
    if progress.number &+ 1 == last, progress.phase == .idle, !run.actions.isEmpty { return (last, nil) }
    return (nil, .progress)
  }
}

extension JournalContents.Run {
  fileprivate init?(_ bytes: [UInt8], half: JournalHalf, of layout: JournalLayout) {
    var offset = layout.start(of: half)
    let end = layout.end(of: half)
    guard let frame = JournalFrame(bytes, at: offset, end: end), frame.subject == .snapshot else {
      return nil
    }
    first = frame.number
    snapshot = frame.record
    offset += JournalFrame.count(of: frame.record)
    while let frame = JournalFrame(bytes, at: offset, end: end), frame.subject == .action,
      frame.number == next
    {
      actions.append(frame.record)
      offset += JournalFrame.count(of: frame.record)
    }
  }
}
