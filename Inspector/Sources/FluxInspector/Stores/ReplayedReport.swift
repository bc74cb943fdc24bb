import FluxCore
import FluxLog
import FluxMiddleware
import Foundation

/// The actions of a crash report in a history, with the states after them.
struct ReplayedReport<State: FluxState & Codable> {
  let history: History<State>
  /// The state after the last action that can be replayed.
  let state: State
  let line: PageMessage.ReportLine

  /// Reduces the actions of a report again.
  init(
    _ report: CrashReport, actions: ActionRegistry, reducer: @escaping MutatingReducer<State>
  ) throws(LogError) {
    let steps = try ReplayableSteps(of: report) { step throws(LogError) in
      let _: State = try report.replay(into: { _, _ in }, with: actions, upTo: step)
    }.range
    let history = History<State>(named: "report", limit: report.entries.count + 1)
    // The plug-in records the actions without a store, so no middleware runs, and no work starts.
    let reduce = history.plugin.wrapReducer?(reducer) ?? reducer
    var state: State = try report.replay(into: reducer, with: actions, upTo: steps.lowerBound)
    for entry in report.entries[steps.lowerBound..<steps.upperBound] {
      do throws(HistoryError) {
        reduce(&state, try actions.decode(entry.name, from: entry.json ?? Data()))
      } catch {
        throw LogError(.undecodable, "\(error)")
      }
    }
    if let index = report.interruptedEntry, index == steps.upperBound {
      let entry = report.entries[index]
      // The history does not reduce an unknown action.
      reduce(&state, UnknownAction(name: entry.name, payload: entry.payload))
    }
    self.history = history
    self.state = state
    line = PageMessage.ReportLine(
      text: report.ending(showing: steps), time: report.lastChange.map { $0.timeIntervalSince1970 * 1_000 })
  }
}

/// The last steps of a crash report that can be replayed without a gap.
struct ReplayableSteps {
  /// The first and the last of the steps.
  ///
  /// Step n is the state after n actions.
  let range: ClosedRange<Int>

  /// Finds the steps with O(log n) replays after the last gap.
  ///
  /// - Parameter replay: A closure that throws an error with the code `notRecorded` if a step
  ///   cannot be replayed.
  init(of report: CrashReport, replay: (_ step: Int) throws(LogError) -> Void) throws(LogError) {
    func error(at step: Int) throws(LogError) -> LogError? {
      do throws(LogError) {
        try replay(step)
        return nil
      } catch {
        guard error.code == .notRecorded else { throw error }
        return error
      }
    }
    func gap(before step: Int) -> Int? { report.entries[..<step].lastIndex { $0.json == nil } }
    var last = report.finishedCount
    while let error = try error(at: last) {
      // A step after a gap can be replayed only if a state was recorded after the gap.
      guard let gap = gap(before: last) else { throw error }
      last = gap
    }
    // After a gap, the steps from the first recorded state on can be replayed.
    var (low, high) = (gap(before: last).map { $0 + 1 } ?? 0, last)
    while low < high {
      let middle = (low + high) / 2
      if try error(at: middle) == nil { high = middle } else { low = middle + 1 }
    }
    range = low...last
  }
}

extension CrashReport {
  /// Returns a description of the end of the program, without contents of actions.
  fileprivate func ending(showing steps: ClosedRange<Int>) -> String {
    let end =
      if let interruptedEntry {
        "The program ended while it reduced the action \(entries[interruptedEntry].name)."
      } else if let last = entries.last {
        "The program ended after the action \(last.name)."
      } else {
        "The program ended before its first action."
      }
    let later = finishedCount - steps.upperBound + (steps.upperBound < finishedCount ? unfinishedCount : 0)
    let hidden = [
      steps.lowerBound > 0 ? "\(counted(steps.lowerBound, "earlier action")) cannot be replayed." : nil,
      later > 0 ? "\(counted(later, "later action")) cannot be replayed." : nil,
    ]
    return ([end] + hidden.compactMap { $0 } + problems.map(\.description)).joined(separator: " ")
  }

  private var unfinishedCount: Int { entries.count - finishedCount }

  private func counted(_ count: Int, _ thing: String) -> String {
    "\(count) \(thing)\(count == 1 ? "" : "s")"
  }
}

extension CrashReport.Entry {
  /// The action as a value of JSON, or `nil` if only its name was recorded.
  fileprivate var payload: JSONValue? {
    json.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
  }
}
