public import FluxCore
import Synchronization

/// A function that returns whether an action matches, based on the states after and before the
/// action.
///
/// The function is called once for each action, in the order in which actions are reduced. The
/// store calls the closure outside any lock, on the thread that delivers the action. The function
/// must be quick.
public typealias ListenerPredicate<State> =
  @Sendable (_ action: any Action, _ current: State, _ previous: State) throws -> Bool

/// The actions to listen for, and the effect to run for each action.
///
/// ```swift
/// let search = Listener<AppState>(of: Search.self, taking: .latest) { search, listener in
///   try await listener.delay(for: .milliseconds(300))
///   listener.dispatch(Found(try await listener.pause { try await api.search(search.text) }))
/// }
/// listeners.start(search)
/// ```
///
/// Start a listener with ``Listeners/start(_:)``. In Redux Toolkit, a listener is identified by
/// its effect. Swift cannot compare functions, so each new listener has its own ``id``, which its
/// copies share. If a listener is started twice, it still receives each action once. The same
/// listener can be started in the `Listeners` of many stores.
public struct Listener<State: Sendable>: Identifiable, Sendable {
  /// The identity of the listener.
  public let id: ListenerID
  /// The rule for actions that arrive while the effect is running.
  public let taking: ListenerTaking
  let subject: ListenerSubject<State>
  let effect: @Sendable (_ action: any Action, _ listener: ListenerContext<State>) async throws -> Void

  /// Creates a listener for the actions of exactly one type.
  ///
  /// The listener is looked up in a table by the type of the action.
  ///
  /// - Parameters:
  ///   - type: The type. If the type is a class, subclasses do not match.
  ///   - taking: The rule for actions that arrive while the effect is running.
  ///   - effect: The closure that runs as a task of the store, after the action is reduced.
  public init<Heard: Action>(
    of type: Heard.Type, taking: ListenerTaking = .every,
    effect: @escaping @Sendable (_ action: Heard, _ listener: ListenerContext<State>) async throws -> Void
  ) {
    self.init(.types([type]), taking) { action, listener in
      try await effect(action.knownToBe(Heard.self), listener)
    }
  }

  /// Creates a listener for actions whose type is exactly one of several types.
  ///
  /// The listener is looked up in a table by the type of the action.
  ///
  /// - Parameters:
  ///   - types: The types. If the array is empty, the listener matches no action.
  ///   - taking: The rule for actions that arrive while the effect is running.
  ///   - effect: The closure that runs as a task of the store, after the action is reduced.
  public init(
    of types: [any Action.Type], taking: ListenerTaking = .every,
    effect:
      @escaping @Sendable (_ action: any Action, _ listener: ListenerContext<State>) async throws -> Void
  ) {
    var known: Set<ObjectIdentifier> = []
    self.init(.types(types.filter { known.insert(ObjectIdentifier($0)).inserted }), taking, effect)
  }

  /// Creates a listener for the actions that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The predicate, which is called for every action. If the predicate throws,
  ///     the action does not match, and the error is reported.
  ///   - taking: The rule for actions that arrive while the effect is running.
  ///   - effect: The closure that runs as a task of the store, after the action is reduced.
  public init(
    when predicate: @escaping ListenerPredicate<State>,
    taking: ListenerTaking = .every,
    effect:
      @escaping @Sendable (_ action: any Action, _ listener: ListenerContext<State>) async throws -> Void
  ) {
    self.init(.predicate(predicate), taking, effect)
  }

  private init(
    _ subject: ListenerSubject<State>, _ taking: ListenerTaking,
    _ effect: @escaping @Sendable (any Action, ListenerContext<State>) async throws -> Void
  ) {
    id = ListenerID()
    self.taking = taking
    self.subject = subject
    self.effect = effect
  }
}

/// A value that identifies a ``Listener`` within the program.
public struct ListenerID: Hashable, Sendable {
  private static let last = Atomic<UInt64>(0)

  private let number: UInt64

  init() {
    number = ListenerID.last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

/// The actions that a listener listens for.
enum ListenerSubject<State: Sendable>: Sendable {
  /// The actions of exactly these types. The array contains each type once.
  case types([any Action.Type])
  case predicate(ListenerPredicate<State>)
}

/// An action that starts and stops listeners, for code that can dispatch but has no access to
/// ``Listeners``.
///
/// ```swift
/// let autosave = Listener<AppState>(of: Edit.self, taking: .latest) { … }
/// store.dispatch(ListenerAction.start(autosave))
/// store.dispatch(ListenerAction<AppState>.stop(autosave.id))
/// ```
///
/// The first plug-in of ``Listeners`` with the same type of state handles the action
/// immediately, and does not pass it on. The reducer, logs, and histories do not receive a
/// handled action. If no plug-in handles the action, the reducer receives the action, and can
/// ignore it.
public enum ListenerAction<State: Sendable>: Action {
  /// Starts a listener, as ``Listeners/start(_:)`` does.
  case start(Listener<State>)
  /// Stops a listener, as ``Listeners/stop(_:cancellingActive:)`` does.
  case stop(ListenerID, cancellingActive: Bool = false)
  /// Stops all listeners and cancels their runs, as ``Listeners/clear()`` does.
  case clear
}

extension ListenerAction: CustomStringConvertible {
  /// A description of the operation, without the listener.
  public var description: String {
    switch self {
    case .start: "ListenerAction.start"
    case .stop(_, let cancellingActive): "ListenerAction.stop\(cancellingActive ? "(cancellingActive)" : "")"
    case .clear: "ListenerAction.clear"
    }
  }
}

/// A handle that can stop a started listener.
///
/// ```swift
/// let polling = listeners.start(of: Poll.self) { … }
/// polling.stop(cancellingActive: true)
/// ```
///
/// The handle retains neither the listener nor its ``Listeners``. Releasing the handle does not
/// stop the listener. The handle is safe to use from any thread.
public struct StartedListener<State: Sendable>: Identifiable, Sendable {
  /// The identity of the listener.
  public let id: ListenerID
  private weak var listeners: Listeners<State>?

  init(id: ListenerID, listeners: Listeners<State>) {
    self.id = id
    self.listeners = listeners
  }

  /// A Boolean value that indicates whether the listener is listening.
  public var isListening: Bool { listeners?.isListening(id) ?? false }

  /// Stops the listener, as ``Listeners/stop(_:cancellingActive:)`` does.
  ///
  /// - Parameter cancellingActive: A Boolean value that indicates whether to cancel the runs of
  ///   the listener.
  /// - Returns: A Boolean value that indicates whether there was a listener to stop.
  @discardableResult
  public func stop(cancellingActive: Bool = false) -> Bool {
    listeners?.stop(id, cancellingActive: cancellingActive) ?? false
  }
}
