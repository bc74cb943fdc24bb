import TestSupport

@testable import FluxLog

/// Changes of a history, the steps of their writer, and callers that wait.
///
/// Each change is one entry of one byte, and a snapshot is due after two bytes.
struct LoggedHistoryModel: EventModel {
  /// A mistake in a writer, which the model has to find.
  enum Mistake: CaseIterable, Sendable {
    case startsTwice, neverStarts, splitsWrites, appendsAtStart, writesAfterFailure, resumesEarly
    case forgetsCaller, neverCompacts, compactsAgainAtOnce
  }

  enum Event: Sendable {
    case change, wait, stepSucceeds, stepFails
  }

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  private let mistake: Mistake?
  private var rules = LoggedHistoryRules(end: .start, size: 0, snapshot: 0, limit: 2)
  private var step: LoggedHistoryRules.Step?
  private var changes = 0
  private var written = 0
  private var unsaved = 0
  private var hasFailed = false
  /// The number of changes for which each caller waits.
  private var callers: [Int: Int] = [:]

  init(_ mistake: Mistake? = nil) {
    self.mistake = mistake
  }

  mutating func happen(_ event: Event) throws(Violation) -> Bool {
    switch event {
    case .change:
      var starts = rules.changeArrived()
      if mistake == .startsTwice, !hasFailed { starts = true }
      if mistake == .neverStarts { starts = false }
      if !hasFailed { changes += 1 }
      guard starts == (step == nil && !hasFailed) else {
        throw Violation(description: step == nil ? "no writer starts" : "a second writer starts")
      }
      if starts { try next() }
    case .wait: try wait()
    case .stepSucceeds:
      guard let step else { return false }
      try end(step, fails: false)
    case .stepFails:
      guard let step else { return false }
      try end(step, fails: true)
    }
    return true
  }

  private mutating func wait() throws(Violation) {
    var answer = rules.wait()
    if mistake == .resumesEarly, case .waits = answer { answer = .written }
    switch answer {
    case .written:
      guard !hasFailed, written == changes else { throw Violation(description: "a caller does not wait") }
    case .failed:
      guard hasFailed else { throw Violation(description: "a caller receives an error") }
    case .waits(let caller):
      guard !hasFailed, written < changes, callers[caller] == nil else {
        throw Violation(description: "a caller waits for nothing")
      }
      callers[caller] = changes
    }
  }

  private mutating func next() throws(Violation) {
    var next = rules.nextStep()
    if mistake == .neverCompacts, case .compact = next {
      rules.compacted(snapshot: 0)
      next = rules.nextStep()
    }
    switch next {
    case .append(var count, var position):
      if mistake == .splitsWrites { count = 1 }
      if mistake == .appendsAtStart { position = .start }
      guard !hasFailed else { throw Violation(description: "a write follows a failed write") }
      guard count == changes - written, count > 0, position == LogPosition(UInt64(written)) else {
        throw Violation(description: "a write has \(count) changes at \(position)")
      }
    case .compact:
      guard !hasFailed, unsaved >= 2 else { throw Violation(description: "a snapshot is not due") }
    case .rest:
      guard hasFailed || written == changes && callers.isEmpty else {
        throw Violation(description: "the writer rests too early")
      }
      guard hasFailed || unsaved < 2 else { throw Violation(description: "a snapshot is due") }
      step = nil
      return
    }
    step = next
  }

  private mutating func end(_ ended: LoggedHistoryRules.Step, fails: Bool) throws(Violation) {
    switch (ended, fails) {
    case (.append(let count, _), false):
      written += count
      unsaved += count
      let ready = rules.appended(bytes: count)
      try resume(ready, upTo: written)
    case (.append(let count, _), true):
      hasFailed = mistake != .writesAfterFailure
      if hasFailed {
        let failed = rules.appendFailed()
        try resume(failed, upTo: .max)
      } else {
        hasFailed = true
        _ = rules.appended(bytes: count)
      }
    case (.compact, false):
      unsaved = 0
      if mistake != .compactsAgainAtOnce { rules.compacted(snapshot: 0) }
    case (.compact, true):
      // The next attempt follows after two more bytes.
      unsaved = 0
      rules.compactionFailed()
    case (.rest, _): break
    }
    try next()
  }

  private mutating func resume(_ resumed: [Int], upTo count: Int) throws(Violation) {
    var resumed = resumed
    if mistake == .forgetsCaller { resumed = Array(resumed.dropLast()) }
    guard Set(resumed) == Set(callers.filter { $0.value <= count }.keys), Set(resumed).count == resumed.count
    else { throw Violation(description: "the wrong callers continue") }
    for caller in resumed { callers[caller] = nil }
  }
}
