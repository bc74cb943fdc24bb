/// The misuses of a store that stop the program, with their messages.
///
/// The functions use `fatalError`, because release builds also print its message. A message
/// names the misuse, the action, and the remedy.
@usableFromInline
enum Misuse {
  /// An operation that a thread attempted.
  @usableFromInline
  enum Attempt: Sendable {
    case dispatching
    case readingState
    case borrowingState
    case subscribing
    case cancelling
    case batching
    case replacingReducer
    case delivering
    case releasing

    var description: String {
      switch self {
      case .dispatching: "an action was dispatched"
      case .readingState: "the store's state was read"
      case .borrowingState: "withState was called"
      case .subscribing: "subscribe was called"
      case .cancelling: "a subscription was canceled, or its token was released,"
      case .batching: "batch was called"
      case .replacingReducer: "replaceReducer was called"
      case .delivering: "the observers on the main actor were about to be called"
      case .releasing: "the store was released"
      }
    }

    var remedy: String {
      switch self {
      case .dispatching:
        """
        Dispatch the action from a middleware, an async action, or a subscription, or change the state in \
        the reducer.
        """
      case .readingState, .borrowingState:
        "Use the state parameter instead."
      case .subscribing, .cancelling, .batching, .replacingReducer, .delivering:
        "Do this before or afterward, or in a middleware or a subscription."
      case .releasing:
        "Do not keep the store in its own state or actions."
      }
    }
  }

  /// Stops the program because the thread holds the store's lock.
  ///
  /// The thread is running the reducer or a `withState` closure.
  @usableFromInline @inline(never)
  static func underLock(_ attempt: Attempt, reducing reduced: (any Action)?) -> Never {
    stop(attempt.description, attempt.remedy, reducing: reduced)
  }

  /// Stops the program because the thread is running a `withState` closure of another store.
  ///
  /// The thread holds one store's lock and needs another store's lock. If a second thread
  /// acquired the same two locks in the opposite order, the two threads would wait for each
  /// other.
  @usableFromInline @inline(never)
  static func underOtherLock(_ attempt: Attempt) -> Never {
    fatalError(
      """
      Flux: \(attempt.description) inside a withState closure of another store. Two threads that do this \
      in opposite orders would deadlock. Copy the values that you need out of the closure first.
      """)
  }

  /// Stops the program because the thread dispatched an action while it held the store's lock.
  @usableFromInline @inline(never)
  static func dispatchedUnderLock(_ action: any Action, reducing reduced: (any Action)?) -> Never {
    stop("\(action) was dispatched", Attempt.dispatching.remedy, reducing: reduced)
  }

  private static func stop(_ what: String, _ remedy: String, reducing reduced: (any Action)?) -> Never {
    if let reduced {
      fatalError(
        """
        Flux: \(what) while the reducer was handling \(reduced). A reducer must not access its store. \(remedy)
        """)
    }
    fatalError(
      """
      Flux: \(what) inside a withState closure. A withState closure must not access its store. Copy the \
      values that you need out of the closure first. \(remedy)
      """)
  }

  /// Stops the program because a middleware dispatched before the chain that contains it was
  /// complete.
  @usableFromInline @inline(never)
  static func dispatchedWhileBuilding(_ action: any Action) -> Never {
    fatalError(
      """
      Flux: \(action) was dispatched while the middleware chain was being built. Dispatch the action from \
      the innermost closure of the middleware, or after the store has been created.
      """)
  }

  /// Stops the program because a lifted plug-in ran its wrapped reducer outside a reduction.
  static func reducedOutsideStore(_ action: any Action) -> Never {
    fatalError(
      """
      Flux: a plug-in called its wrapped reducer with \(action) after the wrapping reducer had returned. \
      Call the wrapped reducer only inside the wrapping reducer.
      """)
  }
}
