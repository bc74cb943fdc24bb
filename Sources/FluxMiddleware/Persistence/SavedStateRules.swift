/// A state machine that tracks what happens to the state that an earlier run of the program saved.
///
/// The state machine does not use a lock or a file. The rules ensure that a save does not
/// replace a saved state that the program has not received, unless the save keeps a copy. The
/// rules also ensure that a saved state is merged into the running store at most once.
package struct SavedStateRules: Sendable {
  private enum State: Equatable {
    /// The program has not received the saved state.
    case unread
    /// The program has loaded the saved state.
    case loaded
    /// A save has replaced the saved state and kept a copy, and the program has not received the
    /// copy.
    case kept(file: String)
    /// A save has replaced the saved state.
    case replaced
    /// A restore has put the saved state into the store.
    case restored
  }

  /// The source from which a restore loads the saved state.
  package enum Source: Equatable, Sendable {
    /// The current file or the previous file.
    case generations
    /// The copy that a save made of a saved file before replacing the file.
    case kept(file: String)
    /// The current file or the previous file, with a state that this run of the program has
    /// saved or restored.
    case own
  }

  private var state = State.unread

  package init() {}

  /// A Boolean value that indicates whether the program has not received the saved state.
  package var isUnread: Bool { state == .unread }

  /// The source from which the next restore loads the saved state.
  package var source: Source {
    switch state {
    case .unread, .loaded: .generations
    case .kept(let file): .kept(file: file)
    case .replaced, .restored: .own
    }
  }

  /// Records that the program has loaded the saved state for the initial state of a store.
  package mutating func markLoaded() {
    switch state {
    case .unread: state = .loaded
    case .loaded, .kept, .replaced, .restored: break
    }
  }

  /// Records that a save has ended.
  ///
  /// - Parameters:
  ///   - kept: The file in which the save has kept the previous saved state, or `nil` if the
  ///     save has kept no file.
  ///   - succeeded: A Boolean value that indicates whether the save has replaced the previous
  ///     saved state.
  package mutating func saveEnded(keeping kept: String?, succeeded: Bool) {
    switch state {
    case .unread:
      if let kept {
        state = .kept(file: kept)
      } else if succeeded {
        state = .replaced
      }
    case .loaded: if succeeded { state = .replaced }
    case .kept, .replaced, .restored: break
    }
  }

  /// Returns whether a restore can merge the part that it loaded.
  ///
  /// The reducer calls the method when it receives the action that restores the loaded part.
  ///
  /// - Parameter source: The value of ``source`` when the restore began.
  package func mayMerge(from source: Source) -> Bool {
    switch source {
    case .own: false
    case .generations, .kept: state != .restored
    }
  }

  /// Records that a restore has put the saved state into the store.
  package mutating func markRestored() {
    state = .restored
  }
}
