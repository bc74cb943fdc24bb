/// The states of screens, which live as long as their screens.
///
/// ```swift
/// struct AppState: FluxState {
///   var routes = RouteStack(root: Route.list)
///   var drafts = ScreenStates<Draft>()
/// }
///
/// let routing = RouteSlice(at: \AppState.routes).keeping(\.drafts) { route in
///   if case .review = route { Draft() } else { nil }
/// }
/// ```
///
/// The slice adds the state of a screen when the screen appears, and removes the state when the
/// screen is gone. A reducer changes the state of a screen:
///
/// ```swift
/// on(ChangeDraft.self) { state, action in state.drafts[action.screen]?.text = action.text }
/// ```
///
/// A change for a screen that is gone has no effect. Reading or changing the state of a screen
/// takes constant time.
public struct ScreenStates<Value: Sendable>: Sendable {
  private var values: [ScreenID: Value] = [:]

  /// Creates a value without states.
  public init() {}

  /// The screens that have a state, in the order of their identities.
  public var screens: [ScreenID] { values.keys.sorted { $0.number < $1.number } }

  /// The state of a screen, or `nil` if the screen is gone or has no state.
  ///
  /// An assignment for a screen without a state has no effect. An assignment of `nil` removes the
  /// state.
  public subscript(id: ScreenID) -> Value? {
    get { values[id] }
    _modify {
      let exists = values[id] != nil
      yield &values[id]
      if !exists { values[id] = nil }
    }
  }

  /// Removes the states of screens that are gone, and adds the states of new screens.
  mutating func update<Route>(
    to entries: [RouteEntry<Route>], initial: (RouteEntry<Route>) -> Value?
  ) {
    let shown = Set(entries.map(\.id))
    values = values.filter { shown.contains($0.key) }
    for entry in entries where values[entry.id] == nil { values[entry.id] = initial(entry) }
  }
}

extension ScreenStates: Equatable where Value: Equatable {}
extension ScreenStates: Hashable where Value: Hashable {}

/// A screen and its state, in the encoded form.
private struct ScreenState<Value> {
  var screen: ScreenID
  var state: Value
}

extension ScreenState: Encodable where Value: Encodable {}
extension ScreenState: Decodable where Value: Decodable {}

extension ScreenStates: Encodable where Value: Encodable {
  /// Encodes the states in the order of the identities of their screens.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for screen in screens {
      if let state = values[screen] { try container.encode(ScreenState(screen: screen, state: state)) }
    }
  }
}

extension ScreenStates: Decodable where Value: Decodable {
  /// Decodes the states.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let element = try container.decode(ScreenState<Value>.self)
      values[element.screen] = element.state
    }
  }
}
