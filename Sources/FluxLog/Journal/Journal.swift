import FluxCore
import FluxMiddleware
import Foundation
import Synchronization

/// The journal of one store.
///
/// The store's lock separates the calls for different actions. The class is not generic, because
/// generic code would look up types for each action.
final class Journal: Sendable {
  /// A registered type of action.
  private final class Registered: Sendable {
    let name: JournalName
    let encode: @Sendable (any Action) throws -> Data

    init(_ encoder: ActionEncoder) {
      name = JournalName(encoder.name)
      encode = encoder.encode
    }
  }

  private struct Contents: Sendable {
    var ring: JournalRing
    /// The names of the types of actions that have been reported because they are not recorded.
    var reported = TypeTable<JournalName>()
  }

  private let registered: TypeTable<Registered>
  private let encoder: LineEncoder
  private let folderLock: FolderLock
  private let contents: Locked<Contents>
  private let file: MappedFile
  private let onProblem: @Sendable (LogError) -> Void
  private let blockingCode = BlockingCode()
  private let hasStore = Atomic(false)

  init(
    in directory: URL, capacity: Int, actions: ActionRegistry, redacting redaction: Redaction,
    onProblem: @escaping @Sendable (LogError) -> Void
  ) throws(LogError) {
    encoder = LineEncoder(redacting: redaction)
    registered = actions.encoders(encoder).mapValues(Registered.init)
    self.onProblem = onProblem
    let folder = JournalFolder(directory)
    folderLock = try folder.lock()
    let ring: JournalRing
    (file, ring) = try folder.begin(count: max(capacity, JournalLayout.minimumCount))
    contents = Locked(Contents(ring: ring))
  }

  /// Writes the first snapshot.
  func start(_ state: (some Encodable)?) {
    if hasStore.exchange(true, ordering: .relaxed) { Misuse.journalOfSecondStore() }
    CleanExit.add(self)
    if let state { beginHalf(with: state, andThen: nil) }
  }

  /// Returns the record of an action.
  func record(of action: any Action) -> JournalRecord {
    guard let type = registered[action] else {
      return JournalRecord(name: unregisteredName(of: action), without: .unregistered)
    }
    do {
      return JournalRecord(name: type.name, contents: try type.encode(action))
    } catch {
      if isFirstReport(of: action, named: type.name) {
        report("The journal cannot encode the action \(type.name.text).")
      }
      return JournalRecord(name: type.name, without: .unencodable)
    }
  }

  /// Writes an action, whose reduction begins afterward.
  ///
  /// - Returns: `false` if the journal needs a snapshot of the state before the action.
  @inline(__always)
  func begin(_ record: JournalRecord) -> Bool {
    contents.withLock { $0.ring.begin(record, in: file) }
  }

  /// Writes a snapshot of the state before an action, and then the action.
  @inline(never)
  func beginHalf<State: Encodable>(with state: State, andThen action: JournalRecord?) {
    let name = JournalName(String(reflecting: State.self))
    // The state is encoded without the lock, because its encoding can be arbitrary code.
    let snapshot: JournalRecord
    do {
      snapshot = JournalRecord(name: name, contents: try encoder.encode(state))
    } catch {
      report("The journal cannot encode the state.")
      snapshot = JournalRecord(name: name, without: .unencodable)
    }
    let isTooLarge = contents.withLock { contents in
      let isTooLarge = contents.ring.begin(half: snapshot, in: file)
      if let action { _ = contents.ring.begin(action, in: file) }
      return isTooLarge
    }
    if isTooLarge {
      report("The state takes \(snapshot.contents.count) bytes, for which the journal is too small.")
    }
  }

  /// Records that the reduction of the newest action has ended.
  @inline(__always)
  func end() {
    contents.withLock { $0.ring.end(in: file) }
  }

  private func unregisteredName(of action: any Action) -> JournalName {
    if let name = contents.withLock({ $0.reported[action] }) { return name }
    let type = type(of: action)
    let name = JournalName("\(type)")
    if isFirstReport(of: action, named: name) {
      report("The action \(type) is not registered, so the journal contains only its name.")
    }
    return name
  }

  /// Returns a Boolean value that indicates whether this is the first report of a type of action.
  private func isFirstReport(of action: any Action, named name: JournalName) -> Bool {
    contents.withLock { contents in
      if contents.reported.contains(action) { return false }
      contents.reported.insert(name, for: type(of: action)) { first, _ in first }
      return true
    }
  }

  /// Reports a problem on another thread, because this thread holds the store's lock.
  private func report(_ message: String) {
    let error = LogError(.notRecorded, message)
    blockingCode.run { [onProblem] in onProblem(error) }
  }
}

extension Journal: ClosedAtExit {
  /// Records that the program has used the journal without a crash.
  ///
  /// Later calls have no effect.
  func close() {
    contents.withLock { $0.ring.close(in: file) }
    CleanExit.remove(self)
    folderLock.release()
  }
}
