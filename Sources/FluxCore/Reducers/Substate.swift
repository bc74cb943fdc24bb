/// A way from a state to a part of it, along which a reducer can be lifted.
///
/// ```swift
/// lift(moviesReducer, to: \AppState.movies)
/// lift(moviesReducer, to: .accessors(get: { $0.movies }, set: { $0.movies = $1 }))
/// lift(detailReducer, to: .optional(\AppState.detail))
/// lift(rowReducer, to: .each(\AppState.rows))
/// ```
public struct Substate<State, Part>: Sendable {
  /// Runs a closure on the part, in place, as often as there is such a part: once, never, or for each element.
  public let modify: @Sendable (_ state: inout State, _ body: (inout Part) -> Void) -> Void

  /// Creates a way to a part from a closure that runs another one on it, in place.
  ///
  /// As quick as any, and in place: `Substate { state, body in body(&state.movies) }`.
  @inlinable
  public init(_ modify: @escaping @Sendable (_ state: inout State, _ body: (inout Part) -> Void) -> Void) {
    self.modify = modify
  }

  /// The part at a key path, in place.
  ///
  /// A literal costs what ``init(_:)`` costs, where the optimiser sees it; another key path about 100 instructions
  /// more.
  @inlinable
  public static func keyPath(_ path: any WritableKeyPath<State, Part> & Sendable) -> Substate {
    Substate { state, body in body(&state[keyPath: path]) }
  }

  /// The part that a pair of closures gets and sets.
  ///
  /// While the part is being changed, the state keeps its old value: a collection in the part is copied when it
  /// changes. Use ``init(_:)`` to change it in place.
  @inlinable
  public static func accessors(
    get: @escaping @Sendable (State) -> Part, set: @escaping @Sendable (inout State, Part) -> Void
  ) -> Substate {
    Substate { state, body in
      var part = get(state)
      body(&part)
      set(&state, part)
    }
  }

  /// The value of an optional, while there is one.
  @inlinable
  public static func optional(_ path: any WritableKeyPath<State, Part?> & Sendable) -> Substate {
    Substate { state, body in state[keyPath: path].modifyIfPresent(body) }
  }

  /// The payload of one case of an enum, while the state is that case.
  ///
  /// ```swift
  /// .case({ if case .open(let detail) = $0 { detail } else { nil } }, Screen.open)
  /// ```
  ///
  /// While the payload is being changed the enum keeps its old value, as with ``accessors(get:set:)``.
  ///
  /// - Parameters:
  ///   - extract: The payload, or `nil` in another case.
  ///   - embed: The case around a payload.
  @inlinable
  public static func `case`(
    _ extract: @escaping @Sendable (State) -> Part?, _ embed: @escaping @Sendable (Part) -> State
  ) -> Substate {
    Substate { state, body in
      guard var part = extract(state) else { return }
      body(&part)
      state = embed(part)
    }
  }

  /// Every element of a collection, in order and in place: O(n) an action.
  @inlinable
  public static func each<Elements: MutableCollection & SendableMetatype>(
    _ path: any WritableKeyPath<State, Elements> & Sendable
  ) -> Substate where Elements.Element == Part {
    Substate { state, body in state[keyPath: path].modifyEach(body) }
  }

  /// The way to a part of the part.
  @inlinable
  public func appending<Inner>(_ inner: Substate<Part, Inner>) -> Substate<State, Inner> {
    Substate<State, Inner> { state, body in
      modify(&state) { part in inner.modify(&part, body) }
    }
  }
}

extension Optional {
  @inlinable
  mutating func modifyIfPresent(_ body: (inout Wrapped) -> Void) {
    if self != nil { body(&self!) }
  }
}

extension MutableCollection {
  @inlinable
  mutating func modifyEach(_ body: (inout Element) -> Void) {
    var index = startIndex
    while index != endIndex {
      body(&self[index])
      formIndex(after: &index)
    }
  }
}

// MARK: - Lifting

/// Lifts a reducer of a part to the whole state.
@inlinable
public func lift<State, Part>(
  _ reducer: @escaping Reducer<Part>, to part: Substate<State, Part>
) -> Reducer<State> {
  { state, action in
    var state = state
    part.modify(&state) { part in part = reducer(part, action) }
    return state
  }
}

/// Lifts an in-place reducer of a part to the whole state.
@inlinable
public func lift<State, Part>(
  _ reducer: @escaping MutatingReducer<Part>, to part: Substate<State, Part>
) -> MutatingReducer<State> {
  let lifted = LiftedReducer(reducer, to: part)
  return { state, action in lifted.reduce(&state, action) }
}

/// A reducer of a part and the way to it, in one object: a function that carries one thing is called more quickly than one
/// that carries several.
@usableFromInline
final class LiftedReducer<State, Part>: Sendable {
  @usableFromInline let reducer: MutatingReducer<Part>
  @usableFromInline let part: Substate<State, Part>

  @inlinable
  init(_ reducer: @escaping MutatingReducer<Part>, to part: Substate<State, Part>) {
    self.reducer = reducer
    self.part = part
  }

  @inlinable @inline(__always)
  func reduce(_ state: inout State, _ action: any Action) {
    part.modify(&state) { part in reducer(&part, action) }
  }
}

/// Lifts handlers of a part to the whole state: one table still, for any number of levels.
@inlinable
public func lift<State, Part>(
  _ handlers: ActionHandlers<Part>, to part: Substate<State, Part>
) -> ActionHandlers<State> {
  ActionHandlers(table: handlers.table.mapValues { entry in .init(lift(entry.reduce, to: part)) })
}

/// Lifts a reducer of a part to the whole state, by a key path.
@inlinable
public func lift<State, Part>(
  _ reducer: @escaping Reducer<Part>, to path: any WritableKeyPath<State, Part> & Sendable
) -> Reducer<State> {
  lift(reducer, to: .keyPath(path))
}

/// Lifts an in-place reducer of a part to the whole state, by a key path.
@inlinable
public func lift<State, Part>(
  _ reducer: @escaping MutatingReducer<Part>, to path: any WritableKeyPath<State, Part> & Sendable
) -> MutatingReducer<State> {
  lift(reducer, to: .keyPath(path))
}

/// Lifts handlers of a part to the whole state, by a key path.
@inlinable
public func lift<State, Part>(
  _ handlers: ActionHandlers<Part>, to path: any WritableKeyPath<State, Part> & Sendable
) -> ActionHandlers<State> {
  lift(handlers, to: .keyPath(path))
}
