import FluxCore
import FluxUI

/// The state of these tests.
struct Notebook: FluxState, Equatable {
  var title = ""
  var notes: [String: Note] = [:]
  var count = 0
  var form = LoginForm()
}

struct Note: Equatable {
  var text = ""
  var isDone = false
}

struct LoginForm: Equatable {
  var email = ""
  var remember = false
  var address = Address()

  var shout: String {
    get { email.uppercased() }
    set { email = newValue.lowercased() }
  }
}

struct Address: Equatable {
  var city = ""
}

struct SetTitle: Action, Equatable {
  var title: String
}

struct SetNote: Action {
  var id: String
  var note: Note?
}

struct Increment: Action {
  var amount = 1
}

/// An action that no reducer handles.
struct Nothing: Action {}

let notebookReducer: ActionHandlers<Notebook> = combine(
  on(SetTitle.self) { state, action in state.title = action.title },
  on(SetNote.self) { state, action in state.notes[action.id] = action.note },
  on(Increment.self) { state, action in state.count += action.amount },
  lift(BindingAction<LoginForm>.reducer, to: \.form)
)

func makeStore(
  middleware: [Middleware<Notebook>]? = nil, plugins: [Plugin<Notebook>] = [], state: Notebook = Notebook()
) -> Store<Notebook> {
  Store(reducer: notebookReducer, middleware: middleware, plugins: plugins, state: state)
}
