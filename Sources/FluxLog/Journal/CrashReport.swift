public import Foundation

/// The actions that a store reduced before its program crashed, and a state from which they can be
/// reduced again.
///
/// ```swift
/// if let report = try CrashReport.load(from: folder) {
///   print(try report.testSource())
///   try CrashReport.remove(from: folder)
/// }
/// ```
///
/// The plug-in ``FluxCore/Plugin/journal(in:capacity:actions:redacting:onProblem:)`` records the
/// actions.
public struct CrashReport: Hashable, Sendable {
  /// An action of a report.
  public struct Entry: Hashable, Sendable {
    /// The name under which the action was registered, or the name of its type.
    public let name: String
    /// The action as JSON, or `nil` if the journal contains only the name.
    public let json: Data?
    let gap: JournalRecord.Gap?

    init(_ record: JournalRecord) {
      name = record.name.text
      json = record.gap == nil ? record.contents : nil
      gap = record.gap
    }
  }

  /// A state between two entries.
  struct Snapshot: Hashable, Sendable {
    /// The number of entries before the state.
    let step: Int
    let record: JournalRecord
  }

  /// The actions in the order in which they were reduced.
  ///
  /// The last entry is the newest action whose reducer was called, unless there is a problem.
  public let entries: [Entry]
  /// The index of the action that was being reduced when the program ended, or `nil`.
  ///
  /// The value is `nil` if the program ended between two actions, or if it is not known.
  public let interruptedEntry: Int?
  /// The parts of the file that cannot be used, each as an error with the code
  /// ``LogError/Code/damaged``.
  public let problems: [LogError]
  /// The time at which the system last noted a change of the file, or `nil` if it is not known.
  ///
  /// The program ended at this time or later. While a program dispatches actions, Linux notes a
  /// change about every 30 seconds.
  public let lastChange: Date?
  /// The states before some entries, in ascending order.
  let snapshots: [Snapshot]

  /// Returns the report of the newest crash, or `nil` if there is no report.
  ///
  /// The method returns the same report before and after the plug-in is created, until the report
  /// is removed or until the program crashes again.
  ///
  /// - Parameter directory: The directory of the journal.
  /// - Throws: ``LogError/Code/damaged`` if a file contains no part of a journal, or
  ///   ``LogError/Code/unreadable``.
  public static func load(from directory: URL) throws(LogError) -> CrashReport? {
    guard let (name, bytes) = try JournalFolder(directory).newestCrash() else { return nil }
    let file = directory.appendingPathComponent(name, isDirectory: false).path
    // A report without a time is still a report.
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    return try CrashReport(bytes, file: file, lastChange: attributes?[.modificationDate] as? Date)
  }

  /// Removes the report of the newest crash, and all older reports.
  ///
  /// - Parameter directory: The directory of the journal.
  public static func remove(from directory: URL) throws(LogError) {
    try JournalFolder(directory).removeCrashes()
  }

  /// Reads the contents of a file.
  package init(_ bytes: [UInt8], file: String, lastChange: Date? = nil) throws(LogError) {
    let contents = JournalContents(bytes)
    guard let first = contents.runs.first?.first else {
      throw LogError(.damaged, "The file \(file) does not contain a readable snapshot of a journal.")
    }
    var entries: [Entry] = []
    var snapshots: [Snapshot] = []
    for run in contents.runs {
      snapshots.append(Snapshot(step: entries.count, record: run.snapshot))
      entries += run.actions.map(Entry.init)
    }
    self.entries = entries
    self.snapshots = snapshots
    self.lastChange = lastChange
    interruptedEntry = contents.interrupted.map { Int(truncatingIfNeeded: $0 &- first) }
    problems = contents.flaws.map { LogError(.damaged, "The file \(file) is damaged: \($0.reason).") }
  }
}

extension CrashReport.Entry: CustomStringConvertible {
  /// The name, followed by the JSON or by the reason why it is missing.
  public var description: String {
    "\(name) \(json.map { String(decoding: $0, as: UTF8.self) } ?? "(\(gap.reason))")"
  }
}

extension JournalRecord.Gap? {
  /// The reason why contents are missing, as the end of a sentence.
  var reason: String {
    switch self {
    case .unregistered: "not registered"
    case .unencodable: "not encodable"
    case .tooLarge: "too large for the journal"
    case nil: "recorded"
    }
  }
}

extension JournalContents.Flaw {
  fileprivate var reason: String {
    switch self {
    case .format: "it does not begin like a journal"
    case .progress: "the action that was being reduced is not known"
    case .missing(let numbers):
      "\(numbers.upperBound - numbers.lowerBound + 1) actions cannot be read"
    case .noSnapshot: "no snapshot can be read"
    }
  }
}
