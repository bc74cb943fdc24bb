/// When to save, and who may: the rules of a persistence, without a lock, a clock, a task or a file.
///
/// A change starts a window; when the window closes the state is saved, however many changes there were. One
/// thread at a time works on the files. A method an event; each returns what to do.
package struct PersistenceStateMachine: Sendable {
  private enum Store {
    case none, live, ended
  }

  private enum Work {
    case idle
    /// Somebody works on the files, and `again` says whether a window has closed since.
    case busy(again: Bool)
  }

  private var store = Store.none
  private var work = Work.idle
  private var isWindowOpen = false
  /// The number of restores under way.
  private var restores = 0
  /// A Boolean value that indicates whether a save waits for the restores.
  private var isSaveWaiting = false

  package init() {}

  /// Why a window is opened.
  package enum Window: Sendable {
    case afterChange, afterFailure
  }

  /// What is to be done after an event.
  package struct Response: Equatable {
    /// Wake those who wait for their turn.
    package var wakes = false
    /// Open a window: come back when it closes.
    package var opens: Window?
    /// Save, in the background.
    package var saves = false

    package init(wakes: Bool = false, opens: Window? = nil, saves: Bool = false) {
      self.wakes = wakes
      self.opens = opens
      self.saves = saves
    }
  }

  /// How the work on the files ended.
  package enum Outcome: Equatable {
    /// There is nothing to try again unless the state changes.
    case done
    /// It has to be tried again, although nothing changes.
    case failed
    /// The store is about to end, and the end has not been told: that will save.
    case postponed
  }

  /// Whether a thread may work on the files.
  package enum Turn: Equatable {
    case granted
    case wait
    /// There is nothing to do.
    case unneeded
  }

  // MARK: - The store

  /// A store was made; returns false if there has been one before.
  package mutating func began() -> Bool {
    switch store {
    case .none:
      store = .live
      return true
    case .live, .ended: return false
    }
  }

  /// The state may have changed.
  package mutating func changed() -> Response {
    switch store {
    case .none, .ended: return Response()
    case .live:
      defer { isWindowOpen = true }
      return Response(opens: isWindowOpen ? nil : .afterChange)
    }
  }

  /// The store has ended: no window opens or closes any more.
  package mutating func ended() -> Response {
    store = .ended
    isWindowOpen = false
    return Response(wakes: true)
  }

  // MARK: - Restores

  /// A restore has begun: until it ends, no save begins in the background.
  package mutating func restoreBegan() {
    restores += 1
  }

  /// A restore has ended.
  package mutating func restoreEnded() -> Response {
    restores -= 1
    guard restores == 0, isSaveWaiting else { return Response() }
    isSaveWaiting = false
    return Response(saves: true)
  }

  // MARK: - Turns

  /// A window has closed: somebody has to save.
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

  /// A thread in the background wants to save, and does not wait.
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
    // The end saves, and has no window to come back for.
    case (.none, _), (.ended, _): return .unneeded
    }
  }

  /// A thread wants to work on the files, and waits until it can.
  package mutating func wantsTurn() -> Turn {
    switch work {
    case .idle:
      work = .busy(again: false)
      return .granted
    case .busy: return .wait
    }
  }

  /// A thread whose save was postponed wants to know whether to wait for the end.
  package func wantsEnd() -> Turn {
    switch store {
    case .live: .wait
    case .none, .ended: .unneeded
    }
  }

  /// The thread that worked on the files has done so.
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
        // To try at once what has just failed would be to try for ever.
        if !isWindowOpen { response.opens = .afterFailure }
        isWindowOpen = true
      case .postponed: break
      }
    }
    return response
  }
}
