import Flux

/// The text of the search field, and the words that the app searches for.
struct Search: FluxState, Equatable {
  var text = ""
  /// The text at the last pause in typing.
  var words = ""
}

/// Changes the text of the search field, and searches for it after a pause in typing.
struct SetSearchText: TaskAction {
  let text: String

  var policy: WorkPolicy { .latest.debounced(for: .milliseconds(300)) }

  func execute(state: AppState, dispatch: @escaping DispatchFunction) async {
    dispatch(SearchFor(words: state.search.text))
  }
}

/// Searches for words.
struct SearchFor: Action {
  let words: String
}

let searchReducer = ActionHandlers<Search> {
  on(SetSearchText.self) { search, action in
    search.text = action.text
    // The next search must not begin with the results of this search.
    if action.text.isEmpty { search.words = "" }
  }
  on(SearchFor.self) { search, action in search.words = action.words }
}
