public import FluxCore

/// A part of an app that has its own state, reducer, and middleware.
///
/// ```swift
/// let statistics = Feature("statistics", state: Statistics(), reducer: statisticsReducer)
/// ```
///
/// A feature can be part of a store from the beginning, with ``plugin(at:)``. A feature can also
/// join a running store and leave it again, with ``Features/attach(_:)``. The reducer and the
/// middleware are the same in both cases.
///
/// The name identifies the feature in the state, in logs, and in files. Two features of one store
/// must have different names. If the state is `Codable`, it is saved with the state of the app.
public struct Feature<State: FluxState>: Sendable {
  /// The name of the feature.
  public let name: String
  /// The state of the feature before its first action.
  public let initialState: State
  /// The reducer of the feature.
  public let reducer: MutatingReducer<State>
  /// The middleware of the feature, as one middleware, or `nil` if the feature has none.
  public let middleware: Middleware<State>?

  /// Creates a feature with a reducer that changes the state in place.
  ///
  /// - Parameters:
  ///   - name: The name of the feature.
  ///   - state: The state of the feature before its first action.
  ///   - reducer: The reducer of the feature, which receives every action of the store.
  ///   - middleware: The middleware, in the order in which an action passes through them. The
  ///     middleware receive every action of the store, and read the state of the feature. As with
  ///     `DynamicMiddleware`, their middle closures run again when another feature with middleware
  ///     is attached or detached, so keep values in the outer closure.
  public init(
    _ name: String, state: State, reducer: @escaping MutatingReducer<State>,
    middleware: [Middleware<State>] = []
  ) {
    self.name = name
    initialState = state
    self.reducer = reducer
    self.middleware = middleware.isEmpty ? nil : Self.combined(middleware)
  }

  /// Creates a feature with a reducer that returns the next state.
  ///
  /// - Parameters:
  ///   - name: The name of the feature.
  ///   - state: The state of the feature before its first action.
  ///   - reducer: The reducer of the feature, which receives every action of the store.
  ///   - middleware: The middleware, in the order in which an action passes through them.
  public init(
    _ name: String, state: State, reducer: @escaping Reducer<State>, middleware: [Middleware<State>] = []
  ) {
    self.init(name, state: state, reducer: mutating(reducer), middleware: middleware)
  }

  /// Creates a feature with handlers that are looked up by the type of the action.
  ///
  /// - Parameters:
  ///   - name: The name of the feature.
  ///   - state: The state of the feature before its first action.
  ///   - reducer: The handlers of the feature.
  ///   - middleware: The middleware, in the order in which an action passes through them.
  public init(
    _ name: String, state: State, reducer: ActionHandlers<State>, middleware: [Middleware<State>] = []
  ) {
    self.init(name, state: state, reducer: reducer.reducer, middleware: middleware)
  }

  private static func combined(_ middleware: [Middleware<State>]) -> Middleware<State> {
    { dispatch, getState in
      let links = middleware.map { $0(dispatch, getState) }
      return { next in links.reversed().reduce(next) { next, link in link(next) } }
    }
  }

  /// Returns a plug-in that makes the feature part of a store from the beginning.
  ///
  /// The reducer of the feature runs before the reducer of the store.
  ///
  /// - Parameter path: The key path of the feature's state in the state of the store.
  public func plugin<Whole: FluxState>(
    at path: any WritableKeyPath<Whole, State> & Sendable
  ) -> Plugin<Whole> {
    let own = lift(reducer, to: path)
    return Plugin(
      middleware: middleware.map { lift($0, to: { $0[keyPath: path] }) },
      wrapReducer: { reducer in combine(own, reducer) })
  }
}

extension Feature: Hashable {
  /// Returns a Boolean value that indicates whether two features have the same name.
  public static func == (left: Feature, right: Feature) -> Bool { left.name == right.name }

  /// Hashes the name of the feature.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}
