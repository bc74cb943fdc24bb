/// A readable difference between two values, found by reflection.
///
/// It walks both values side by side, and notes where they differ, as `path: old → new`. It is bounded: at most
/// ``Limits/changes`` changes are told, ``Limits/visits`` pairs of values looked at, and a value is described in at
/// most ``Limits/characters`` characters. What was cut off is said.
public struct StateDifference: Sendable, CustomStringConvertible {
  /// One place at which the values differ.
  public struct Change: Sendable, Equatable {
    /// Where: property names and positions, from the outside in; empty when the values differ as a whole.
    public let path: String
    /// What stood there, or `nil` when nothing did.
    public let old: String?
    /// What stands there, or `nil` when nothing does.
    public let new: String?
  }

  /// How much is looked at and told.
  public struct Limits: Sendable {
    /// The most changes that are told.
    public var changes: Int
    /// The most pairs of values that are looked at.
    public var visits: Int
    /// The most characters of one value's description.
    public var characters: Int

    /// Creates limits.
    public init(changes: Int = 8, visits: Int = 2_000, characters: Int = 60) {
      self.changes = changes
      self.visits = visits
      self.characters = characters
    }
  }

  /// The changes, in the order in which the properties are declared.
  public private(set) var changes: [Change] = []
  /// Whether there is, or may be, more than what is told.
  public private(set) var isTruncated = false

  private let limits: Limits
  private var visits = 0

  /// Finds the difference between two values of one type.
  ///
  /// O(n) in the size of the values, and never more than the limits allow.
  public init<Value>(from old: Value, to new: Value, limits: Limits = Limits()) {
    self.limits = limits
    compare(old, new, path: "")
  }

  /// Whether no difference was found.
  public var isEmpty: Bool { changes.isEmpty && !isTruncated }

  /// The changes in one line, separated by commas.
  public var description: String {
    var parts = changes.map { change in
      let step = "\(change.old ?? "nothing") → \(change.new ?? "nothing")"
      return change.path.isEmpty ? step : "\(change.path): \(step)"
    }
    if isTruncated { parts.append("…") }
    return parts.joined(separator: ", ")
  }

  private mutating func compare(_ old: Any, _ new: Any, path: String) {
    visits += 1
    guard visits <= limits.visits, changes.count < limits.changes else {
      isTruncated = true
      return
    }
    if let old = old as? any Hashable, let new = new as? any Hashable {
      guard AnyHashable(old) != AnyHashable(new) else { return }
    }
    let oldMirror = Mirror(reflecting: old)
    let newMirror = Mirror(reflecting: new)
    guard oldMirror.subjectType == newMirror.subjectType, oldMirror.displayStyle == newMirror.displayStyle
    else {
      return note(old, new, path: path)
    }
    switch oldMirror.displayStyle {
    case .struct where !oldMirror.children.isEmpty, .class where !oldMirror.children.isEmpty, .tuple:
      compareProperties(oldMirror, newMirror, path: path)
    case .optional:
      compareOptionals(old, new, oldMirror, newMirror, path: path)
    case .collection:
      compareElements(Array(oldMirror.children), Array(newMirror.children), path: path)
    case .dictionary:
      compareEntries(old, new, path: path)
    default:
      note(old, new, path: path)
    }
  }

  private mutating func compareProperties(_ old: Mirror, _ new: Mirror, path: String) {
    for (position, (old, new)) in zip(old.children, new.children).enumerated() {
      let name = old.label ?? "\(position)"
      compare(old.value, new.value, path: path.isEmpty ? name : "\(path).\(name)")
      if isTruncated { return }
    }
  }

  private mutating func compareOptionals(
    _ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror, path: String
  ) {
    switch (oldMirror.children.first?.value, newMirror.children.first?.value) {
    case (let old?, let new?): compare(old, new, path: path)
    case (nil, nil): return
    case (nil, _?), (_?, nil): note(old, new, path: path)
    }
  }

  private mutating func compareElements(_ old: [Mirror.Child], _ new: [Mirror.Child], path: String) {
    guard old.count == new.count else {
      return append(
        Change(path: path, old: elements(old.count), new: elements(new.count)))
    }
    for (position, (old, new)) in zip(old, new).enumerated() {
      compare(old.value, new.value, path: "\(path)[\(position)]")
      if isTruncated { return }
    }
  }

  private mutating func compareEntries(_ old: Any, _ new: Any, path: String) {
    guard let old = old as? [AnyHashable: Any], let new = new as? [AnyHashable: Any] else {
      return note(old, new, path: path)
    }
    let keys = Set(old.keys).union(new.keys).map { (key: $0, name: text($0)) }.sorted { $0.name < $1.name }
    for (key, name) in keys {
      let place = "\(path)[\(name)]"
      switch (old[key], new[key]) {
      case (let old?, let new?): compare(old, new, path: place)
      case (let old, let new): append(Change(path: place, old: old.map(text), new: new.map(text)))
      }
      if isTruncated { return }
    }
  }

  private mutating func note(_ old: Any, _ new: Any, path: String) {
    let change = Change(path: path, old: text(old), new: text(new))
    // Alike as far as can be told: not comparable, and described the same.
    guard change.old != change.new || old is any Hashable else { return }
    append(change)
  }

  private mutating func append(_ change: Change) {
    guard changes.count < limits.changes else {
      isTruncated = true
      return
    }
    changes.append(change)
  }

  private func elements(_ count: Int) -> String { count == 1 ? "1 element" : "\(count) elements" }

  private func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      return mirror.children.first.map { text($0.value) } ?? "nil"
    }
    let full =
      switch value {
      case let value as String: "\"\(value)\""
      case let value as AnyHashable where value.base is String: "\"\(value.base)\""
      default: String(describing: value)
      }
    return full.count <= limits.characters ? full : "\(full.prefix(limits.characters))…"
  }
}
