public import FluxCore
public import FluxMiddleware
import Foundation

extension CrashReport {
  /// The number of entries whose reduction has ended.
  public var finishedCount: Int { interruptedEntry ?? entries.count }

  /// Returns the state after a number of entries, by reducing them again.
  ///
  /// ```swift
  /// let state: AppState = try report.replay(into: appReducer, with: registry)
  /// ```
  ///
  /// The method begins with the newest recorded state before the step. Convert a reducer that
  /// returns the next state with `mutating(_:)`.
  ///
  /// - Parameters:
  ///   - reducer: The reducer of the store, including the reducers of plug-ins.
  ///   - actions: The actions that can be decoded.
  ///   - step: The number of entries whose effects the state contains. The default is
  ///     ``finishedCount``. If you pass the number of all entries, the reducer can crash again.
  /// - Throws: ``LogError/Code/notRecorded`` if an action or the state is missing,
  ///   ``LogError/Code/undecodable``, or ``LogError/Code/outOfBounds``.
  public func replay<State: Decodable>(
    into reducer: MutatingReducer<State>, with actions: ActionRegistry, upTo step: Int? = nil
  ) throws(LogError) -> State {
    let (snapshot, entries) = try recorded(upTo: step ?? finishedCount)
    var state: State
    do {
      state = try JSONDecoder.ofHistory().decode(State.self, from: snapshot.record.contents)
    } catch {
      throw LogError(.undecodable, "The recorded state is not a \(State.self): \(error.codingReason).")
    }
    for (index, entry) in entries {
      let action: any Action
      do throws(HistoryError) {
        action = try actions.decode(entry.name, from: entry.json)
      } catch {
        throw LogError(.undecodable, "Entry \(index) cannot be decoded. \(error)")
      }
      reducer(&state, action)
    }
    return state
  }

  /// Returns the newest recorded state before a step, and the entries from there to the step.
  func recorded(
    upTo step: Int
  ) throws(LogError) -> (snapshot: Snapshot, entries: [(index: Int, entry: (name: String, json: Data))]) {
    guard (0...entries.count).contains(step) else {
      throw LogError(.outOfBounds, "Step \(step) does not exist. The report has \(entries.count) entries.")
    }
    let usable = snapshots.last { $0.step <= step && $0.record.gap == nil }
    guard let usable else {
      let reason = (snapshots.last { $0.step <= step }?.record.gap).reason
      throw LogError(.notRecorded, "The report contains no state before step \(step): it was \(reason).")
    }
    var recorded: [(index: Int, entry: (name: String, json: Data))] = []
    for index in usable.step..<step {
      let entry = entries[index]
      guard let json = entry.json else {
        throw LogError(
          .notRecorded, at: LogPosition(UInt64(index)),
          "Entry \(index), the action \(entry.name), has no contents: it was \(entry.gap.reason).")
      }
      recorded.append((index, (entry.name, json)))
    }
    return (usable, recorded)
  }
}
