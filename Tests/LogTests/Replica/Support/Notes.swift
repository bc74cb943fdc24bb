import FluxCore
import FluxLog
import FluxMiddleware
import TestSupport

/// The shared state of the tests of replicas: texts in the order in which they were added.
struct Notes: Codable, Equatable, Sendable {
  var texts: [String] = []
}

struct AddNote: Action, Codable, Equatable {
  let text: String
}

struct RemoveNote: TemporaryIDAction, Codable, Equatable {
  let text: String

  func replacingTemporaryIDs(_ ids: TemporaryIDs) -> RemoveNote { RemoveNote(text: ids[text] ?? text) }
}

/// A registered action that cannot be encoded.
struct AddSecret: Action, Codable {
  struct IsSecret: Error {}

  let text: String

  func encode(to encoder: any Encoder) throws { throw IsSecret() }
}

/// An action that does not belong to the replica.
struct SetTitle: Action {
  let title: String
}

let noteActions = ActionRegistry(AddNote.self, RemoveNote.self, AddSecret.self)

@Sendable
func reduceNotes(_ notes: inout Notes, _ action: any Action) {
  switch action {
  case let action as AddNote: notes.texts.append(action.text)
  case let action as RemoveNote: notes.texts.removeAll { $0 == action.text }
  case let action as AddSecret: notes.texts.append(action.text)
  default: break
  }
}

struct NotesApp: FluxState {
  var notes = Replica(Notes())
  var title = ""
  var refused: [String] = []
}

@Sendable
func reduceApp(_ app: inout NotesApp, _ action: any Action) {
  switch action {
  case let action as SetTitle: app.title = action.title
  case let action as ActionRefused:
    app.refused.append((action.action as? AddNote)?.text ?? "\(action.action)")
  default: break
  }
}
