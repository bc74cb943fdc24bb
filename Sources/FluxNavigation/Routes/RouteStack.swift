/// The screens of an app as a value: a stack of screens, and the modal screens above it.
///
/// ```swift
/// enum Route: Hashable, Codable {
///   case list
///   case film(Int)
///   case filter
/// }
///
/// struct AppState: FluxState {
///   var routes = RouteStack(root: Route.list)
/// }
/// ```
///
/// A stack always contains its root. The screens above the root are its ``path``. Modal screens
/// cover the path. A sheet or a cover can contain its own path, and another modal screen can
/// cover it.
///
/// The screen that the user sees is the ``top``. The *front* is the path that contains the top
/// screen. ``push(_:)`` and ``pop()`` change the front.
///
/// Each screen has an identity, which a list of screens, the state of a screen, and the work of a
/// screen use. A change that has no effect, such as a dismissal of a screen that is not in the
/// stack, leaves the value unchanged.
///
/// To show other screens from the root on, for example after a logout, use ``reset(root:)``. Do not
/// assign a new stack to the state: the identities of a new stack begin again, so its screens can
/// have the identities of earlier screens. The state and the work of an earlier screen would then
/// belong to another screen.
///
/// A stack can keep the earlier places, so that ``back()`` and ``forward()`` work as in a web
/// browser. Copying a stack takes constant time. A push takes amortized constant time, or O(n)
/// for a path with n screens if the stack keeps earlier places or another copy of the stack
/// exists.
public struct RouteStack<Route: Hashable & Sendable>: Hashable, Sendable {
  /// A path, which is the base or a modal.
  @usableFromInline
  struct Layer: Hashable, Sendable {
    /// The style of a modal layer, or `nil` for the base.
    @usableFromInline var style: ModalStyle?
    /// The screens, which are one or more.
    @usableFromInline var entries: [RouteEntry<Route>]

    @inlinable
    init(style: ModalStyle?, entries: [RouteEntry<Route>]) {
      self.style = style
      self.entries = entries
    }
  }

  /// The base, and the modal layers above it.
  @usableFromInline var layers: [Layer]
  /// The number of the next new screen.
  @usableFromInline var nextNumber: UInt64
  @usableFromInline var record: RouteRecord<[Layer]>

  /// Creates a stack that contains one screen.
  ///
  /// - Parameters:
  ///   - root: The route of the first screen.
  ///   - limit: The number of earlier places that the stack keeps for ``back()``. If the number
  ///     is 0, the stack keeps no places.
  public init(root: Route, keepingPlaces limit: Int = 0) {
    self.init(root: root, keepingPlaces: limit, firstNumber: 0)
  }

  /// Creates a stack whose screens have numbers from a given number on.
  init(root: Route, keepingPlaces limit: Int, firstNumber: UInt64) {
    layers = [Layer(style: nil, entries: [RouteEntry(root, id: ScreenID(firstNumber))])]
    nextNumber = firstNumber + 1
    record = RouteRecord(limit: limit)
  }

  /// Creates a stack from its parts, or returns `nil` if the parts break a rule of stacks.
  init?(layers: [Layer], nextNumber: UInt64, record: RouteRecord<[Layer]>) {
    guard let root = layers.first?.entries.first else { return nil }
    self.layers = layers
    self.nextNumber = nextNumber
    self.record = record
    let first = ScreenNumbers.first(ofStackWith: root.id.number)
    guard ScreenNumbers.isNext(nextNumber, after: first), isPlace(layers, from: first),
      record.past.allSatisfy({ isPlace($0, from: first) }),
      record.future.allSatisfy({ isPlace($0, from: first) })
    else { return nil }
  }

  /// Returns a Boolean value that indicates whether layers can be a place of this stack.
  func isPlace(_ layers: [Layer], from first: UInt64) -> Bool {
    guard layers.first?.style == nil, !layers.isEmpty else { return false }
    let areModals = layers.dropFirst().allSatisfy { layer in
      layer.style != nil && (layer.style != .alert || layer.entries.count == 1)
    }
    let numbers = layers.flatMap { $0.entries.map(\.id.number) }
    return areModals && layers.allSatisfy { !$0.entries.isEmpty } && Set(numbers).count == numbers.count
      && numbers.allSatisfy { first..<nextNumber ~= $0 }
  }

  // MARK: Reading

  /// The first screen.
  @inlinable
  public var root: RouteEntry<Route> { layers[0].entries[0] }

  /// The screens above the root, without modal screens.
  @inlinable
  public var path: [RouteEntry<Route>] { Array(layers[0].entries.dropFirst()) }

  /// The modal screens, from the lowest to the highest.
  public var modals: [RouteModal<Route>] {
    layers.dropFirst().map { layer in
      RouteModal(
        style: layer.style ?? .sheet, root: layer.entries[0], path: Array(layer.entries.dropFirst()))
    }
  }

  /// The screen that the user sees.
  @inlinable
  public var top: RouteEntry<Route> { layers[layers.count - 1].entries.last! }

  /// All screens, from the root to the top screen.
  public var entries: [RouteEntry<Route>] { layers.flatMap(\.entries) }

  /// Returns a Boolean value that indicates whether a screen is in the stack.
  @inlinable
  public func contains(_ id: ScreenID) -> Bool { location(of: id) != nil }

  /// The route of a screen, or `nil` if the screen is not in the stack.
  @inlinable
  public subscript(id: ScreenID) -> Route? {
    location(of: id).map { layers[$0.layer].entries[$0.index].route }
  }

  /// A Boolean value that indicates whether ``back()`` has an effect.
  public var canGoBack: Bool { !record.past.isEmpty }

  /// A Boolean value that indicates whether ``forward()`` has an effect.
  public var canGoForward: Bool { !record.future.isEmpty }

  @inlinable
  func location(of id: ScreenID) -> (layer: Int, index: Int)? {
    for layer in layers.indices.reversed() {
      if let index = layers[layer].entries.lastIndex(where: { $0.id == id }) { return (layer, index) }
    }
    return nil
  }

  // MARK: Changing the front

  /// Adds a screen on top of the front.
  ///
  /// If an alert is in front, the alert is dismissed.
  ///
  /// - Returns: The identity of the new screen.
  @discardableResult
  @inlinable
  public mutating func push(_ route: Route) -> ScreenID {
    changing { stack in
      stack.removeAlerts()
      let entry = stack.newEntry(route)
      stack.layers[stack.layers.count - 1].entries.append(entry)
      return entry.id
    }
  }

  /// Removes the top screen.
  ///
  /// If the top screen is the first screen of a modal, the modal is dismissed. The root of the
  /// stack is not removed.
  @inlinable
  public mutating func pop() {
    let front = layers.count - 1
    if layers[front].entries.count > 1 {
      changing { $0.layers[front].entries.removeLast() }
    } else {
      dismiss()
    }
  }

  /// Removes all screens above a screen.
  ///
  /// If the screen is not in the stack, the method has no effect.
  @inlinable
  public mutating func pop(to id: ScreenID) {
    guard let (layer, index) = location(of: id), top.id != id else { return }
    changing { stack in
      stack.layers.removeSubrange((layer + 1)...)
      stack.layers[layer].entries.removeSubrange((index + 1)...)
    }
  }

  /// Removes all screens except for the root.
  @inlinable
  public mutating func popToRoot() {
    pop(to: root.id)
  }

  /// Replaces the top screen with a new screen.
  ///
  /// - Returns: The identity of the new screen.
  @discardableResult
  @inlinable
  public mutating func replaceTop(with route: Route) -> ScreenID {
    changing { stack in
      let entry = stack.newEntry(route)
      let front = stack.layers.count - 1
      stack.layers[front].entries[stack.layers[front].entries.count - 1] = entry
      return entry.id
    }
  }

  // MARK: Modals

  /// Shows a modal screen above the top screen.
  ///
  /// If an alert is in front, the alert is dismissed.
  ///
  /// - Returns: The identity of the new screen.
  @discardableResult
  @inlinable
  public mutating func present(_ route: Route, as style: ModalStyle = .sheet) -> ScreenID {
    changing { stack in
      stack.removeAlerts()
      let entry = stack.newEntry(route)
      stack.layers.append(Layer(style: style, entries: [entry]))
      return entry.id
    }
  }

  /// Removes the highest modal, with all its screens.
  @inlinable
  public mutating func dismiss() {
    guard layers.count > 1 else { return }
    changing { $0.layers.removeLast() }
  }

  /// Removes a modal, with all its screens and the modals above it.
  ///
  /// If no modal begins with the screen, the method has no effect. A second dismissal of a modal
  /// therefore does not dismiss the modal below it.
  ///
  /// - Parameter id: The identity of the first screen of the modal.
  @inlinable
  public mutating func dismiss(_ id: ScreenID) {
    guard let layer = layers.indices.dropFirst().first(where: { layers[$0].entries[0].id == id }) else {
      return
    }
    changing { $0.layers.removeSubrange(layer...) }
  }

  // MARK: The whole path

  /// Replaces the path, as for a deep link, and dismisses all modals.
  ///
  /// The first screens of the old path remain, with their identities, as long as their routes are
  /// equal to the routes at the same positions of the new path.
  @inlinable
  public mutating func setPath(_ routes: [Route]) {
    let old = layers[0].entries
    let shared = zip(old.dropFirst(), routes).prefix { $0.0.route == $0.1 }.count
    guard layers.count > 1 || shared < routes.count || shared < old.count - 1 else { return }
    changing { stack in
      stack.layers.removeSubrange(1...)
      stack.layers[0].entries.removeSubrange((shared + 1)...)
      for route in routes[shared...] { stack.layers[0].entries.append(stack.newEntry(route)) }
    }
  }

  /// Replaces all screens with a new root, for example after a logout.
  ///
  /// The path is empty, and all modals are dismissed. The root has a new identity, even if its
  /// route is equal to the route of the old root. If the stack keeps earlier places, ``back()``
  /// returns to the old screens.
  ///
  /// - Returns: The identity of the new root.
  @discardableResult
  @inlinable
  public mutating func reset(root route: Route) -> ScreenID {
    changing { stack in
      let root = stack.newEntry(route)
      stack.layers = [Layer(style: nil, entries: [root])]
      return root.id
    }
  }

  // MARK: Saved stacks

  /// Takes the screens from a saved value.
  ///
  /// A decoded stack keeps as many places as the stack that was saved. Use this method if the new
  /// version of the app keeps another number of places:
  ///
  /// ```swift
  /// var routes = RouteStack(root: Route.list, keepingPlaces: 50)
  /// routes.restore(from: saved)
  /// ```
  ///
  /// The earlier and the later places are also taken, up to the limit of this value. The screens
  /// keep their identities, unless one of the stacks is the stack of a tab that the other is not.
  /// Then the screens have new identities, and the earlier places are not taken.
  public mutating func restore(from saved: RouteStack) {
    let (limit, next) = (record.limit, nextNumber)
    let isSame =
      ScreenNumbers.first(ofStackWith: root.id.number)
      == ScreenNumbers.first(ofStackWith: saved.root.id.number)
    layers = saved.layers
    if isSame {
      nextNumber = max(next, saved.nextNumber)
      record = RouteRecord(limit: limit, past: saved.record.past, future: saved.record.future)
    } else {
      renumber(from: next)
      record = RouteRecord(limit: limit)
    }
  }

  // MARK: Places

  /// Returns to the place before the newest change.
  ///
  /// Screens that were removed since then exist again, with their identities.
  @inlinable
  public mutating func back() {
    if let layers = record.back(from: layers) { self.layers = layers }
  }

  /// Returns to the place from which ``back()`` came.
  ///
  /// Any other change removes the places to which this method could return.
  @inlinable
  public mutating func forward() {
    if let layers = record.forward(from: layers) { self.layers = layers }
  }

  // MARK: Changes

  /// Shows the screens of an earlier place.
  mutating func restore(_ layers: [Layer]) {
    self.layers = layers
  }

  @discardableResult @inlinable
  mutating func changing<Result>(_ change: (inout RouteStack) -> Result) -> Result {
    record.append(layers)
    return change(&self)
  }

  @inlinable
  mutating func newEntry(_ route: Route) -> RouteEntry<Route> {
    defer { nextNumber += 1 }
    return RouteEntry(route, id: ScreenID(nextNumber))
  }

  /// Gives all screens new identities, from a number on, and removes the earlier places, which
  /// contain the old identities.
  @usableFromInline
  mutating func renumber(from number: UInt64) {
    nextNumber = number
    record = RouteRecord(limit: 0)
    for layer in layers.indices {
      for index in layers[layer].entries.indices {
        layers[layer].entries[index] = newEntry(layers[layer].entries[index].route)
      }
    }
  }

  /// Dismisses the alerts in front, which can contain no other screens.
  @inlinable
  mutating func removeAlerts() {
    while layers[layers.count - 1].style == .alert { layers.removeLast() }
  }
}

extension RouteStack.Layer: Encodable where Route: Encodable {}
extension RouteStack.Layer: Decodable where Route: Decodable {}
