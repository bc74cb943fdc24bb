/// A path from a state to a part of the state, along which a reducer can be lifted.
///
/// ```swift
/// lift(moviesReducer, to: \AppState.movies)
/// lift(moviesReducer, to: .accessors(get: { $0.movies }, set: { $0.movies = $1 }))
/// lift(detailReducer, to: .optional(\AppState.detail))
/// lift(rowReducer, to: .each(\AppState.rows))
/// ```
public struct Substate<State, Part>: Sendable {
  /// A closure that calls `body` in place with each existing part.
  ///
  /// The closure calls `body` once, not at all, or for each element of a collection.
  public let modify: @Sendable (_ state: inout State, _ body: (inout Part) -> Void) -> Void

  /// Creates a path from a closure that calls another closure with the part, in place.
  ///
  /// This initializer creates the fastest paths. For example:
  /// `Substate { state, body in body(&state.movies) }`.
  @inlinable
  public init(_ modify: @escaping @Sendable (_ state: inout State, _ body: (inout Part) -> Void) -> Void) {
    self.modify = modify
  }

  /// Returns a path that changes the part at a key path in place.
  ///
  /// If the optimizer can resolve a key path literal, the path costs as much as a path from
  /// ``init(_:)``. Any other key path costs about 100 additional instructions.
  @inlinable
  public static func keyPath(_ path: any WritableKeyPath<State, Part> & Sendable) -> Substate {
    Substate { state, body in body(&state[keyPath: path]) }
  }

  /// Returns a path to the part that a pair of closures gets and sets.
  ///
  /// While the part is being changed, the state keeps the old value of the part. Therefore, the
  /// first change to a collection in the part copies the collection. To change the collection
  /// in place, use ``init(_:)``.
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

  /// Returns a path to the value that an optional at a key path contains, if the optional is
  /// not `nil`.
  @inlinable
  public static func optional(_ path: any WritableKeyPath<State, Part?> & Sendable) -> Substate {
    Substate { state, body in state[keyPath: path].modifyIfPresent(body) }
  }

  /// Returns a path to the payload of one case of an enum, if the state is that case.
  ///
  /// ```swift
  /// .case({ if case .open(let detail) = $0 { detail } else { nil } }, Screen.open)
  /// ```
  ///
  /// While the payload is being changed, the enum keeps the old value, as with
  /// ``accessors(get:set:)``.
  ///
  /// - Parameters:
  ///   - extract: A closure that returns the payload, or `nil` for another case.
  ///   - embed: A closure that returns the case for a payload.
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

  /// Returns a path that changes each element of a collection in place, from the first element to
  /// the last.
  ///
  /// Reducing an action takes O(n) time for n elements.
  @inlinable
  public static func each<Elements: MutableCollection & SendableMetatype>(
    _ path: any WritableKeyPath<State, Elements> & Sendable
  ) -> Substate where Elements.Element == Part {
    Substate { state, body in state[keyPath: path].modifyEach(body) }
  }

  /// Returns a path that continues from the part to an inner part.
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

/// Lifts a reducer for a part of the state to the whole state.
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

/// Lifts an in-place reducer for a part of the state to the whole state.
@inlinable
public func lift<State, Part>(
  _ reducer: @escaping MutatingReducer<Part>, to part: Substate<State, Part>
) -> MutatingReducer<State> {
  let lifted = LiftedReducer(reducer, to: part)
  return { state, action in lifted.reduce(&state, action) }
}

/// A reducer for a part of the state, together with the path to the part.
///
/// A closure that captures one object is faster to call than a closure that captures several
/// values.
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

/// Lifts handlers for a part of the state to the whole state.
///
/// The result is a single table, regardless of the number of levels.
@inlinable
public func lift<State, Part>(
  _ handlers: ActionHandlers<Part>, to part: Substate<State, Part>
) -> ActionHandlers<State> {
  ActionHandlers(table: handlers.table.mapValues { entry in .init(lift(entry.reduce, to: part)) })
}

/// Lifts a reducer for the part of the state at a key path to the whole state.
@inlinable
public func lift<State, Part>(
  _ reducer: @escaping Reducer<Part>, to path: any WritableKeyPath<State, Part> & Sendable
) -> Reducer<State> {
  lift(reducer, to: .keyPath(path))
}

/// Lifts an in-place reducer for the part of the state at a key path to the whole state.
@inlinable
public func lift<State, Part>(
  _ reducer: @escaping MutatingReducer<Part>, to path: any WritableKeyPath<State, Part> & Sendable
) -> MutatingReducer<State> {
  lift(reducer, to: .keyPath(path))
}

/// Lifts handlers for the part of the state at a key path to the whole state.
@inlinable
public func lift<State, Part>(
  _ handlers: ActionHandlers<Part>, to path: any WritableKeyPath<State, Part> & Sendable
) -> ActionHandlers<State> {
  lift(handlers, to: .keyPath(path))
}
