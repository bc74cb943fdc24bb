/// A state machine that determines when a `Persistence` object saves.
///
/// The state machine does not use a lock, a clock, a task, or a file. A change opens a window
/// of time. When the window closes, the state is saved once, regardless of the number of
/// changes. Only one thread at a time uses the files. Each method handles one event, and
/// returns the steps to perform.
package struct PersistenceStateMachine: Sendable {
  private enum StoreStage {
    case none, live, ended
  }

  private enum Work {
    case idle
    /// A thread is using the files.
    ///
    /// The value `again` indicates whether another save was requested after the thread began to
    /// use the files.
    case busy(again: Bool)
  }

  private var store = StoreStage.none
  private var work = Work.idle
  private var isWindowOpen = false
  /// The number of restores that are running.
  private var restores = 0
  /// A Boolean value that indicates whether a save is waiting for running restores to end.
  private var isSaveWaiting = false

  package init() {}

  /// The reason for opening a window.
  package enum Window: Sendable {
    case afterChange, afterFailure
  }

  /// The steps to perform after an event.
  package struct Response: Equatable {
    /// A Boolean value that indicates whether to wake the waiting threads.
    package var wakes = false
    /// The window to open, or `nil` to open no window.
    ///
    /// When the window closes, call `windowClosed()`.
    package var opens: Window?
    /// A Boolean value that indicates whether to save in the background.
    package var saves = false

    package init(wakes: Bool = false, opens: Window? = nil, saves: Bool = false) {
      self.wakes = wakes
      self.opens = opens
      self.saves = saves
    }
  }

  /// The outcome of the operations that a thread performed on the files.
  package enum Outcome: Equatable {
    /// Another save is necessary only if the state changes.
    case done
    /// The save must be repeated, even if the state does not change.
    case failed
    /// The state is no longer available, because the store is being released.
    ///
    /// The `Persistence` object saves the state when the store has been released.
    case postponed
  }

  /// The response to a thread that requests exclusive access to the files, or that waits until
  /// the store is released.
  package enum Turn: Equatable {
    case granted
    case wait
    /// The thread continues without access to the files.
    case unneeded
  }

  // MARK: - The store

  /// Records that a store has been created.
  ///
  /// - Returns: `true`, or `false` if there was already a store.
  package mutating func began() -> Bool {
    switch store {
    case .none:
      store = .live
      return true
    case .live, .ended: return false
    }
  }

  /// Handles a transition, which might have changed the state.
  package mutating func changed() -> Response {
    switch store {
    case .none, .ended: return Response()
    case .live:
      defer { isWindowOpen = true }
      return Response(opens: isWindowOpen ? nil : .afterChange)
    }
  }

  /// Records that the store has been released.
  ///
  /// After this call, the state machine does not open or close any more windows.
  package mutating func ended() -> Response {
    store = .ended
    isWindowOpen = false
    return Response(wakes: true)
  }

  // MARK: - Restores

  /// Records that a restore has begun.
  ///
  /// Until the restore ends, no save begins in the background.
  package mutating func restoreBegan() {
    restores += 1
  }

  /// Records that a restore has ended.
  package mutating func restoreEnded() -> Response {
    restores -= 1
    guard restores == 0, isSaveWaiting else { return Response() }
    isSaveWaiting = false
    return Response(saves: true)
  }

  // MARK: - Turns

  /// Records that the window has closed, so that the state must be saved.
  package mutating func windowClosed() -> Response {
    guard isWindowOpen else { return Response() }
    isWindowOpen = false
    switch work {
    case .idle: return Response(saves: true)
    case .busy:
      work = .busy(again: true)
      return Response()
    }
  }

  /// Responds to a background thread that requests access to the files, but does not wait for it.
  package mutating func wantsToSave() -> Turn {
    if restores > 0 {
      isSaveWaiting = true
      return .unneeded
    }
    switch (store, work) {
    case (.live, .idle):
      work = .busy(again: false)
      return .granted
    case (.live, .busy):
      work = .busy(again: true)
      return .unneeded
    // When a store is released, the `Persistence` object saves the state without waiting for a
    // window.
    case (.none, _), (.ended, _): return .unneeded
    }
  }

  /// Responds to a thread that requests access to the files, and that can wait for it.
  package mutating func wantsTurn() -> Turn {
    switch work {
    case .idle:
      work = .busy(again: false)
      return .granted
    case .busy: return .wait
    }
  }

  /// Returns whether a thread whose save was postponed must wait until the store is released.
  package func wantsEnd() -> Turn {
    switch store {
    case .live: .wait
    case .none, .ended: .unneeded
    }
  }

  /// Ends a thread's exclusive access to the files.
  package mutating func finished(_ outcome: Outcome) -> Response {
    guard case .busy(let again) = work else { return Response() }
    work = .idle
    var response = Response(wakes: true)
    switch store {
    case .none, .ended: break
    case .live:
      switch outcome {
      case .done: response.saves = again
      case .failed:
        // An immediate attempt would probably also fail, and would be repeated endlessly.
        if !isWindowOpen { response.opens = .afterFailure }
        isWindowOpen = true
      case .postponed: break
      }
    }
    return response
  }
}
