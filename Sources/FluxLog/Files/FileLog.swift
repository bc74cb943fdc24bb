import FluxCore
import FluxMiddleware
public import Foundation

/// A log in the files of a directory, for one process.
///
/// ```swift
/// let log = try FileLog(in: directory)
/// for problem in log.problems { report(problem.description) }
/// ```
///
/// **Files.** The log consists of segments. Each segment begins with a snapshot, and contains the
/// entries after the snapshot. ``save(_:)`` begins a new segment, and ``truncate(before:)``
/// removes older segments. ``isFull`` indicates when to save a snapshot, so that segments have a
/// limited size. The log keeps the entries of the newest segment in memory.
///
/// **Writes.** When ``append(_:at:)`` returns, the entries are on disk (`fsync`; on Apple
/// platforms `F_FULLFSYNC`). All calls that arrive during a write share the next write, so 200
/// concurrent calls take two writes. After a failed write, the calls of the write fail, and the log
/// refuses all calls, because the files might contain a part of the write. Open the log again to
/// continue.
///
/// **Damage.** Each part of a file has checksums. If the program or the system ended during a
/// write, the log opens without the entries of that write, whose calls have not returned, and
/// ``problems`` contains the file and the offset. If a snapshot was changed, the log uses the
/// previous segment, loses no entry, and reports the problem. A changed byte of the first segment
/// is restored if no snapshot was saved at the start. If other contents were changed, the
/// initializer throws an error with the code ``LogError/Code/damaged``, unless you choose to use
/// the rest.
///
/// **Processes.** One object at a time uses a directory. A second object throws an error with the
/// code ``LogError/Code/inUse``, or waits in
/// ``whenAvailable(in:segmentLimit:usesRestOfDamaged:tryingEvery:clock:)``. You can call every
/// method from any thread. The calls do not block threads that tasks share.
public final class FileLog: ActionLog {
  private struct Contents: Sendable {
    var rules: FileLogRules
    /// The entries of the newest segment that are on disk.
    var newest: LogContents
    /// The number of bytes of the entries in the newest segment.
    var count: Int
    /// The positions of the older segments, in ascending order.
    var older: [LogPosition]
    var jobs: [FileLogRules.Call: FileLogJob] = [:]
    var failure: LogError?
  }

  private let folder: SegmentFolder
  private let lock: FolderLock?
  private let contents: Locked<Contents>
  private let followers: LogFollowers
  private let blocking = BlockingCode()
  private let segmentLimit: Int
  /// The parts of files that could not be used when the log was opened.
  public let problems: [FileLogProblem]

  /// Opens the log in a directory, and creates the directory if it does not exist.
  ///
  /// The initializer blocks the thread while it reads and writes the newest segment.
  ///
  /// - Parameters:
  ///   - directory: The directory, which contains only this log.
  ///   - segmentLimit: The number of bytes of entries after which ``isFull`` is `true`.
  ///   - usesRestOfDamaged: A Boolean value that indicates whether a log with damaged entries is
  ///     opened with the entries before them. The damaged file is kept under another name. The
  ///     positions of the damaged entries are used again.
  /// - Throws: ``LogError/Code/inUse``, ``LogError/Code/damaged``, ``LogError/Code/unreadable``,
  ///   or ``LogError/Code/unwritable``.
  public convenience init(
    in directory: URL, segmentLimit: Int = 1 << 20, usesRestOfDamaged: Bool = false
  ) throws(LogError) {
    let storage = FileStorage(directory: directory)
    try self.init(
      SegmentFolder(storage: storage), lock: FolderLock(storage), segmentLimit: segmentLimit,
      usesRestOfDamaged: usesRestOfDamaged)
  }

  /// Opens the log in a storage.
  package convenience init(
    _ storage: any SegmentStorage, segmentLimit: Int = 1 << 20, usesRestOfDamaged: Bool = false
  ) throws(LogError) {
    try self.init(
      SegmentFolder(storage: storage), segmentLimit: segmentLimit, usesRestOfDamaged: usesRestOfDamaged)
  }

  /// Opens the log in the segments of a storage.
  init(
    _ folder: SegmentFolder, lock: FolderLock? = nil, segmentLimit: Int = 1 << 20,
    usesRestOfDamaged: Bool = false
  ) throws(LogError) {
    let recovery = try SegmentRecovery(folder, usesRest: usesRestOfDamaged)
    let segment = recovery.segment
    let snapshot = segment.snapshot.map { LogSnapshot(position: segment.base, data: $0) }
    self.folder = folder
    self.lock = lock
    self.segmentLimit = segmentLimit
    problems = recovery.problems
    followers = LogFollowers(end: segment.end)
    contents = Locked(
      Contents(
        rules: FileLogRules(end: segment.end),
        newest: LogContents(first: segment.base, entries: segment.entries, snapshot: snapshot),
        count: segment.entries.reduce(0) { $0 + $1.count }, older: recovery.older))
  }

  /// A Boolean value that indicates whether the entries of the newest segment have reached the
  /// limit, so that it is time to save a snapshot.
  public var isFull: Bool { contents.withLock { $0.count >= segmentLimit } }

  /// Returns the position of the end of the log.
  public func end() async throws(LogError) -> LogPosition {
    let result = contents.withLock { contents -> Result<LogPosition, LogError> in
      contents.failure.map { .failure($0) } ?? .success(contents.newest.end)
    }
    return try result.get()
  }

  /// Appends entries to the end of the log, which must be at an expected position.
  @discardableResult
  public func append(_ entries: [Data], at expected: LogPosition) async throws(LogError) -> LogPosition {
    let count = entries.reduce(0) { $0 + $1.count }
    guard count <= Int(Int32.max) else {
      throw LogError(.outOfBounds, at: expected, "\(count) bytes are too many for one call.")
    }
    let result = await withCheckedContinuation { continuation in
      submit(.append(entries, at: expected) { continuation.resume(returning: $0) }) {
        $0.append(entries.count, at: expected)
      }
    }
    return try result.get()
  }

  /// Returns entries in their order, from a position on.
  ///
  /// Entries before the newest snapshot are read from the files.
  public func entries(from position: LogPosition, limit: Int) async throws(LogError) -> [ActionLogEntry] {
    let found = contents.withLock { contents -> Result<[ActionLogEntry], LogError>? in
      if let failure = contents.failure { return .failure(failure) }
      if position < contents.newest.first, !contents.older.isEmpty { return nil }
      do throws(LogError) {
        return .success(try contents.newest.entries(from: position, limit: limit))
      } catch {
        return .failure(error)
      }
    }
    if let found { return try found.get() }
    return try await useFiles { [self] _ throws(LogError) in try readOlder(from: position, limit: limit) }
  }

  /// Returns the newest snapshot, or `nil` if there is none.
  public func snapshot() async throws(LogError) -> LogSnapshot? {
    let result = contents.withLock { contents -> Result<LogSnapshot?, LogError> in
      contents.failure.map { .failure($0) } ?? .success(contents.newest.snapshot)
    }
    return try result.get()
  }

  /// Saves a snapshot, which replaces the previous snapshot.
  ///
  /// The log begins a new segment. If the disk is full, the log remains usable without the
  /// snapshot.
  public func save(_ snapshot: LogSnapshot) async throws(LogError) {
    try await useFiles { [self] breaksLog throws(LogError) in
      try beginSegment(snapshot, breaksLog: &breaksLog)
    }
  }

  /// Removes entries before a position.
  ///
  /// The log removes whole segments, so entries of the last of these segments can remain. The
  /// segment before the newest one always remains, because it replaces a damaged snapshot.
  public func truncate(before position: LogPosition) async throws(LogError) {
    try await useFiles { [self] _ throws(LogError) in try removeSegments(before: position) }
  }

  /// Returns a sequence of the ends of the log, which begins with the current end.
  public func ends() -> AsyncStream<LogPosition> { followers.stream() }

  /// Refuses later calls, and waits until the earlier calls have returned.
  ///
  /// Afterward, another object can open the log.
  public func close() async {
    try? await useFiles { _ throws(LogError) in }
    let isIdle = contents.withLock { contents in
      contents.rules.close()
      contents.failure = contents.failure ?? LogError(.closed, "The log was closed.")
      return contents.rules.isIdle
    }
    if isIdle { lock?.release() }
    followers.finish()
  }

  // MARK: - Turns

  /// Runs a closure that uses the files, in its turn.
  ///
  /// - Parameter body: A closure that sets its argument to `true` if the files can no longer be
  ///   used.
  private func useFiles<Value: Sendable>(
    _ body: @escaping @Sendable (_ breaksLog: inout Bool) throws(LogError) -> Value
  ) async throws(LogError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, LogError>, Never>) in
      let job = FileLogJob.other {
        var breaksLog = false
        do throws(LogError) {
          let value = try body(&breaksLog)
          return ({ continuation.resume(returning: .success(value)) }, nil)
        } catch {
          return ({ continuation.resume(returning: .failure(error)) }, breaksLog ? error : nil)
        }
      } refuse: { error in
        continuation.resume(returning: .failure(error))
      }
      submit(job) { $0.perform() }
    }
    return try result.get()
  }

  private func submit(_ job: FileLogJob, _ ask: (inout FileLogRules) -> FileLogRules.Answer) {
    let (turn, error) = contents.withLock { contents -> (FileLogRules.Turn?, LogError?) in
      switch ask(&contents.rules) {
      case .waits(let call, let next):
        contents.jobs[call] = job
        return (next, nil)
      case .conflict(let end):
        guard case .append(_, let expected, _) = job else { return (nil, nil) }
        return (nil, .conflict(at: expected, end: end))
      case .refused: return (nil, contents.failure ?? LogError(.closed, "The log was closed."))
      }
    }
    if let error { job.refuse(error) }
    if let turn { blocking.run { self.perform(turn) } }
  }

  /// Performs a turn, and all turns that follow.
  private func perform(_ turn: FileLogRules.Turn) {
    var next: FileLogRules.Turn? = turn
    while let turn = next {
      let (report, failure) =
        switch turn {
        case .append(let calls): write(calls)
        case .other(let call): use(call)
        }
      let (ending, refused, isLast) = contents.withLock { contents in
        let ending = contents.rules.turnEnded(breaksLog: failure != nil)
        if let failure { contents.failure = failure }
        let refused = ending.refused.compactMap { contents.jobs.removeValue(forKey: $0) }
        return (ending, refused, contents.rules.isClosed && contents.rules.isIdle)
      }
      if isLast { lock?.release() }
      report()
      if let failure { for job in refused { job.refuse(failure) } }
      next = ending.next
    }
  }

  private func use(_ call: FileLogRules.Call) -> (@Sendable () -> Void, LogError?) {
    guard case .other(let run, _) = contents.withLock({ $0.jobs.removeValue(forKey: call) }) else {
      return ({}, nil)
    }
    return run()
  }

  /// Writes the entries of several calls.
  private func write(_ calls: [FileLogRules.Call]) -> (@Sendable () -> Void, LogError?) {
    let (jobs, base, position) = contents.withLock { contents in
      (calls.compactMap { contents.jobs.removeValue(forKey: $0) }, contents.newest.first, contents.newest.end)
    }
    let entries = jobs.map(\.entries)
    do {
      let count = try folder.append(entries, at: position, to: base)
      let ends = contents.withLock { contents in
        contents.count += count
        return entries.map { entries in
          let end = contents.newest.end
          return (try? contents.newest.append(entries, at: end)) ?? end
        }
      }
      return (
        { [followers] in
          if let last = ends.last { followers.advance(to: last) }
          for (job, end) in zip(jobs, ends) { job.succeed(at: end) }
        }, nil
      )
    } catch {
      let failure = LogError(.unwritable, "The log cannot be written: \(error).")
      return ({ for job in jobs { job.refuse(failure) } }, failure)
    }
  }

  // MARK: - Segments

  private func beginSegment(_ snapshot: LogSnapshot, breaksLog: inout Bool) throws(LogError) {
    guard snapshot.data.count <= Int(Int32.max) else {
      throw LogError(.outOfBounds, "\(snapshot.data.count) bytes are too many for a snapshot.")
    }
    var newest = contents.withLock { $0.newest }
    let old = newest.first
    try newest.save(snapshot)
    _ = try newest.truncate(before: snapshot.position)
    let segment = Segment(base: snapshot.position, snapshot: snapshot.data, entries: newest.entries)
    do {
      try folder.prepare(segment.bytes)
    } catch {
      // The segments have not changed, so the log can still be used.
      throw LogError(.unwritable, "The snapshot cannot be written: \(error).")
    }
    do {
      try folder.commit(segment.base)
    } catch {
      // Both segments might exist, and the next start would use the new one.
      breaksLog = true
      throw LogError(.unwritable, "The snapshot cannot be written: \(error).")
    }
    let (contents, count) = (newest, newest.entries.reduce(0) { $0 + $1.count })
    self.contents.withLock { all in
      all.newest = contents
      all.count = count
      if old != segment.base { all.older.append(old) }
    }
  }

  private func removeSegments(before position: LogPosition) throws(LogError) {
    let (older, newest) = contents.withLock { ($0.older, $0.newest) }
    guard position > older.first ?? newest.first else { return }
    guard let snapshot = newest.snapshot, position <= snapshot.position else {
      throw LogError(
        .outOfBounds, at: position, "No snapshot contains the entries before position \(position).")
    }
    // The last older segment remains, because it can replace a damaged snapshot of the newest one.
    for (base, next) in zip(older, older.dropFirst()) where next <= position {
      do {
        try folder.remove(base)
      } catch {
        throw LogError(.unwritable, "A segment cannot be removed: \(error).")
      }
      contents.withLock { contents in contents.older.removeAll { $0 == base } }
    }
  }

  /// Returns entries of older segments, and of the newest segment if there is room for them.
  private func readOlder(from position: LogPosition, limit: Int) throws(LogError) -> [ActionLogEntry] {
    let (older, newest) = contents.withLock { ($0.older, $0.newest) }
    if let first = older.first, position < first { throw .truncated(position, first: first) }
    var entries: [ActionLogEntry] = []
    for (base, next) in zip(older, older.dropFirst() + [newest.first])
    where next > position && entries.count < limit {
      let start = max(base, position)
      let found = try readSegment(base, to: next).dropFirst(base.distance(to: start))
      for (number, data) in found.prefix(limit - entries.count).enumerated() {
        entries.append(ActionLogEntry(position: start.advanced(by: number), data: data))
      }
    }
    let start = max(position, newest.first)
    return entries + (try newest.entries(from: start, limit: limit - entries.count))
  }

  /// Returns the entries of an older segment up to the position of the next segment.
  private func readSegment(_ base: LogPosition, to end: LogPosition) throws(LogError) -> ArraySlice<Data> {
    let (segment, flaw): (Segment?, Segment.Flaw?)
    do {
      (_, segment, flaw) = try folder.read(base)
    } catch {
      throw LogError(.unreadable, at: base, "The segment at position \(base) cannot be read: \(error).")
    }
    if let segment, segment.end >= end { return segment.entries.prefix(base.distance(to: end)) }
    let missing = flaw ?? Segment.Flaw(offset: 0, isTorn: false, reason: "entries are missing at its end")
    throw FileLogProblem(missing, in: base, position: segment?.end ?? base).error
  }
}
