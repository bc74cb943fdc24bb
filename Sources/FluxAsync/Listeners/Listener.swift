public import FluxCore
import Synchronization

/// A function that says whether an action is to be heard of, by the states after and before it.
///
/// It is asked once for each action, in commit order, on the thread that delivers, outside any lock. It must be quick.
public typealias ListenerPredicate<State> =
  @Sendable (_ action: any Action, _ current: State, _ previous: State) throws -> Bool

/// What to listen for, and what to do then: a value that is started in ``Listeners``.
///
/// ```swift
/// let search = Listener<AppState>(of: Search.self, taking: .latest) { search, listener in
///   try await listener.delay(for: .milliseconds(300))
///   listener.dispatch(Found(try await listener.pause { try await api.search(search.text) }))
/// }
/// listeners.start(search)
/// ```
///
/// Functions cannot be compared in Swift, so it is not the effect that tells two listeners apart, as it is in Redux
/// Toolkit, but the ``id`` that a value is given when it is created, and that its copies share: started twice, it
/// listens once. One value may be started in the `Listeners` of many stores.
public struct Listener<State: Sendable>: Identifiable, Sendable {
  /// What tells a listener from others.
  public let id: ListenerID
  /// Which actions it takes while its effect is running.
  public let taking: ListenerTaking
  let subject: ListenerSubject<State>
  let effect: @Sendable (_ action: any Action, _ listener: ListenerContext<State>) async throws -> Void

  /// Creates a listener for the actions of one exact type, which are looked up in a table.
  ///
  /// - Parameters:
  ///   - type: The type; of a class, its subclasses are not meant.
  ///   - taking: Which actions it takes while its effect is running.
  ///   - effect: Runs as a task of the store, after the action was reduced.
  public init<Heard: Action>(
    of type: Heard.Type, taking: ListenerTaking = .every,
    effect: @escaping @Sendable (_ action: Heard, _ listener: ListenerContext<State>) async throws -> Void
  ) {
    self.init(.types([type]), taking) { action, listener in
      try await effect(action.knownToBe(Heard.self), listener)
    }
  }

  /// Creates a listener for the actions of several exact types, which are looked up in a table.
  ///
  /// - Parameters:
  ///   - types: The types. None is none: it never hears anything.
  ///   - taking: Which actions it takes while its effect is running.
  ///   - effect: Runs as a task of the store, after the action was reduced.
  public init(
    of types: [any Action.Type], taking: ListenerTaking = .every,
    effect:
      @escaping @Sendable (_ action: any Action, _ listener: ListenerContext<State>) async throws -> Void
  ) {
    var known: Set<ObjectIdentifier> = []
    self.init(.types(types.filter { known.insert(ObjectIdentifier($0)).inserted }), taking, effect)
  }

  /// Creates a listener for the actions that a predicate picks.
  ///
  /// - Parameters:
  ///   - predicate: Asked for every action. When it throws the action is not taken, and the error is told.
  ///   - taking: Which actions it takes while its effect is running.
  ///   - effect: Runs as a task of the store, after the action was reduced.
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

/// What tells a ``Listener`` from all others of the program.
public struct ListenerID: Hashable, Sendable {
  private static let last = Atomic<UInt64>(0)

  private let number: UInt64

  init() {
    number = ListenerID.last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

/// What a listener listens for.
enum ListenerSubject<State: Sendable>: Sendable {
  /// Actions of exactly these types, of which none is there twice.
  case types([any Action.Type])
  case predicate(ListenerPredicate<State>)
}
