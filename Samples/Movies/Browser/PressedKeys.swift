package import Flux
package import SampleTerminalViews

extension Browser {
  /// A Boolean value that indicates whether a search is open, in which case each key is handled
  /// immediately.
  package var isFinding: Bool { store.state.display.find != nil }

  /// Handles a key during a search.
  ///
  /// - Returns: The task to wait for.
  @discardableResult
  package func press(_ key: Key) -> DispatchTask {
    let text = store.state.display.find?.text ?? ""
    switch key {
    case .character(let character): return find(text + String(character))
    case .backspace: return find(String(text.dropLast()))
    case .control("u"): return find("")
    case .enter where text.contains { !$0.isWhitespace }:
      return endFinding(with: visit(.found(words: text)))
    case .enter, .escape, .control("c"), .control("d"): return endFinding(with: Visit.stop)
    default: return store.dispatchAsync(EmptyAction())
    }
  }

  private func find(_ text: String) -> DispatchTask {
    store.dispatch(FindTyped(text: text))
    return store.dispatchAsync(FindFilms())
  }

  private func endFinding(with next: some Action) -> DispatchTask {
    store.dispatchAsync(FindEnded() + CancelWork(of: FindFilms.self) + next)
  }
}
