public import FluxCore

/// A part of an app that has its own state, reducer, middleware, and plug-ins.
///
/// ```swift
/// let statistics = Feature("statistics", state: Statistics(), reducer: statisticsReducer)
/// ```
///
/// A feature can be part of a store from the beginning, with ``plugin(at:)``. A feature can also
/// join a running store and leave it again, with ``Features/attach(_:)``. The reducer and the
/// middleware are the same in both cases.
///
/// A plug-in belongs to one store, so a feature has a closure that creates its plug-ins. The
/// closure is called each time the feature joins a store. Listeners, kept work, a history, and
/// saving are plug-ins:
///
/// ```swift
/// let chat = Feature(
///   "chat", state: Chat(), reducer: chatReducer,
///   plugins: {
///     [
///       .keep(while: \.room) { room, store in await receiveMessages(of: room, in: store) },
///       .listeners { $0.start(of: SendMessage.self) { message, _ in try await send(message) } },
///     ]
///   })
/// ```
///
/// The name identifies the feature in the state, in logs, and in files. Two features of one store
/// must have different names. If a feature is attached while another feature with the same name is
/// attached, the problem ``FeatureError/Code/otherFeature`` is reported. The line that creates a
/// feature distinguishes it from other features. If the state is `Codable`, it is saved with the
/// state of the app.
public struct Feature<State: FluxState>: Sendable {
  /// The name of the feature.
  public let name: String
  /// The state of the feature before its first action.
  public let initialState: State
  /// The reducer of the feature.
  public let reducer: MutatingReducer<State>
  /// The middleware of the feature, as one middleware, or `nil` if the feature has none.
  public let middleware: Middleware<State>?
  /// A closure that creates the plug-ins of the feature.
  public let plugins: @Sendable () -> [Plugin<State>]
  /// The place in the source code at which the feature was created.
  let origin: FeatureOrigin

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
  ///   - plugins: A closure that creates the plug-ins. Their reducer wrappers wrap the reducer of
  ///     the feature, and their middleware follow the middleware of the feature.
  ///   - file: The file in which the feature is created.
  ///   - line: The line in which the feature is created.
  public init(
    _ name: String, state: State, reducer: @escaping MutatingReducer<State>,
    middleware: [Middleware<State>] = [], plugins: @escaping @Sendable () -> [Plugin<State>] = { [] },
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.name = name
    initialState = state
    self.reducer = reducer
    var chain = Plugin<State>()
    for link in middleware { chain.append(link) }
    self.middleware = chain.middleware
    self.plugins = plugins
    origin = FeatureOrigin(file: file, line: line)
  }

  /// Creates a feature with a reducer that returns the next state.
  ///
  /// - Parameters:
  ///   - name: The name of the feature.
  ///   - state: The state of the feature before its first action.
  ///   - reducer: The reducer of the feature, which receives every action of the store.
  ///   - middleware: The middleware, in the order in which an action passes through them.
  ///   - plugins: A closure that creates the plug-ins.
  ///   - file: The file in which the feature is created.
  ///   - line: The line in which the feature is created.
  public init(
    _ name: String, state: State, reducer: @escaping Reducer<State>, middleware: [Middleware<State>] = [],
    plugins: @escaping @Sendable () -> [Plugin<State>] = { [] }, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      name, state: state, reducer: mutating(reducer), middleware: middleware, plugins: plugins,
      file: file, line: line)
  }

  /// Creates a feature with handlers that are looked up by the type of the action.
  ///
  /// - Parameters:
  ///   - name: The name of the feature.
  ///   - state: The state of the feature before its first action.
  ///   - reducer: The handlers of the feature.
  ///   - middleware: The middleware, in the order in which an action passes through them.
  ///   - plugins: A closure that creates the plug-ins.
  ///   - file: The file in which the feature is created.
  ///   - line: The line in which the feature is created.
  public init(
    _ name: String, state: State, reducer: ActionHandlers<State>, middleware: [Middleware<State>] = [],
    plugins: @escaping @Sendable () -> [Plugin<State>] = { [] }, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      name, state: state, reducer: reducer.reducer, middleware: middleware, plugins: plugins, file: file,
      line: line)
  }

  /// Returns a plug-in that makes the feature part of a store from the beginning.
  ///
  /// The reducer of the feature runs before the reducer of the store. Each plug-in that the method
  /// returns contains new plug-ins of the feature, and can be used in one store.
  ///
  /// - Parameter path: The key path of the feature's state in the state of the store.
  public func plugin<Whole: FluxState>(
    at path: any WritableKeyPath<Whole, State> & Sendable
  ) -> Plugin<Whole> {
    var own = makePlugin()
    let reducer =
      if let wrap = own.wrapReducer { lift(wrap(reducer), to: path) } else { lift(reducer, to: path) }
    own.wrapReducer = nil
    var lifted = lift(own, to: path)
    lifted.wrapReducer = { rest in combine(reducer, rest) }
    return lifted
  }

  /// Returns a plug-in that contains the middleware and new plug-ins of the feature.
  func makePlugin() -> Plugin<State> {
    var plugin = Plugin<State>()
    if let middleware { plugin.append(middleware) }
    return Plugin(combining: [plugin] + plugins())
  }
}

/// A place in the source code, which distinguishes features with the same name.
///
/// Reducers are functions, and cannot be compared.
struct FeatureOrigin: Equatable, Sendable, CustomStringConvertible {
  let file: StaticString
  let line: UInt

  var description: String { "\(file):\(line)" }

  static func == (left: FeatureOrigin, right: FeatureOrigin) -> Bool {
    left.line == right.line && left.file.description == right.file.description
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
