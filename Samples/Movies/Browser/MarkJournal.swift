package import Flux
package import FluxLog
package import Foundation
import Synchronization

/// An undo or a redo of a mark, in a form that a journal can record.
enum MarkMove: String, Action, Codable {
  case undo, redo

  /// Creates the recorded form of an action, or returns `nil` for other actions.
  init?(_ action: any Action) {
    switch (action as? HistoryAction)?.command {
    case .undo: self = .undo
    case .redo: self = .redo
    default: return nil
    }
  }

  /// The action that the history reduces.
  var action: HistoryAction {
    switch self {
    case .undo: .undo
    case .redo: .redo
    }
  }
}

/// The actions that a journal of marks records.
package let markActions = ActionRegistry(ToggleWish.self, ToggleSeen.self, MarkMove.self)

/// A reducer that repeats the recorded actions of one report, beginning with its first action.
let repeatedMarks = repeatingMarks()

/// Returns a reducer that repeats the recorded actions of one report.
///
/// An undo changes the marks through a history, so the reducer contains a new history, which has
/// received no actions.
package func repeatingMarks() -> MutatingReducer<BrowserState.Marks> {
  let history = History<BrowserState.Marks>(records: changesOfMarks)
  let reduce = history.plugin.wrapReducer?(marksReducer.reducer) ?? marksReducer.reducer
  return { marks, action in reduce(&marks, (action as? MarkMove)?.action ?? action) }
}

extension Plugin<BrowserState> {
  /// Returns a plug-in that records each change of the marks in a journal.
  ///
  /// All other actions leave the marks as they are, so a replay does not need them. Put the
  /// plug-in before all other plug-ins.
  package static func markJournal(in folder: URL) throws(LogError) -> Plugin {
    var journal = try Plugin<BrowserState.Marks>.journal(in: folder, actions: markActions)
    let record = journal.wrapReducer
    journal.wrapReducer = { reducer in
      let recording = record? { marks, action in reducer(&marks, (action as? MarkMove)?.action ?? action) }
      return { marks, action in
        let recorded: any Action = MarkMove(action) ?? action
        if let recording, markActions.name(of: type(of: recorded)) != nil {
          recording(&marks, recorded)
        } else {
          reducer(&marks, action)
        }
      }
    }
    return lift(journal, to: \.marks)
  }

  /// Returns a plug-in whose reducer stops the program instead of changing a mark, after a number
  /// of changes.
  package static func crash(after count: Int) -> Plugin {
    let changes = Atomic(0)
    return Plugin(wrapReducer: { reducer in
      { state, action in
        let recorded: any Action = MarkMove(action) ?? action
        if markActions.name(of: type(of: recorded)) != nil,
          changes.wrappingAdd(1, ordering: .relaxed).oldValue == count
        {
          fatalError("--crash-after \(count) has requested this crash.")
        }
        reducer(&state, action)
      }
    })
  }
}
