/// What has become of the state that was saved before this run: the rules, without a lock or a file.
///
/// A save must not replace a saved state that the program has not received, and a saved state is merged into
/// the running store once.
package struct SavedStateRules: Sendable {
  private enum State: Equatable {
    /// The program has not received it.
    case unread
    /// The program has loaded it.
    case loaded
    /// A save has replaced it, and has kept a copy that the program has not received.
    case kept(file: String)
    /// A save has replaced it.
    case replaced
    /// A restore has put it in the store.
    case restored
  }

  /// Where a restore finds the saved state.
  package enum Source: Equatable, Sendable {
    /// In the generations.
    case generations
    /// In a file that a save has kept.
    case kept(file: String)
    /// In the generations, which contain what this run has saved or restored.
    case own
  }

  private var state = State.unread

  package init() {}

  /// A Boolean value that indicates whether the program has not received what was saved.
  package var isUnread: Bool { state == .unread }

  /// Where a restore that begins now finds the saved state.
  package var source: Source {
    switch state {
    case .unread, .loaded: .generations
    case .kept(let file): .kept(file: file)
    case .replaced, .restored: .own
    }
  }

  /// The program has received what was saved, to start with.
  package mutating func markLoaded() {
    switch state {
    case .unread: state = .loaded
    case .loaded, .kept, .replaced, .restored: break
    }
  }

  /// A save has ended.
  ///
  /// - Parameters:
  ///   - kept: The file in which it has kept what it replaces, if any.
  ///   - succeeded: Whether it has replaced what was saved.
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

  /// Returns whether a restore that has come to the reducer may merge what it loaded.
  ///
  /// - Parameter source: Where the restore found the saved state when it began.
  package func mayMerge(from source: Source) -> Bool {
    switch source {
    case .own: false
    case .generations, .kept: state != .restored
    }
  }

  /// A restore has put the saved state in the store.
  package mutating func markRestored() {
    state = .restored
  }
}
