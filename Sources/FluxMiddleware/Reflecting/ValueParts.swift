import FluxCore
import Foundation

/// The parts of a value that are available through reflection.
///
/// The parts are the properties of a structure or an object, the associated values of an
/// enumeration case, the elements of a collection, the entries of a dictionary, or the wrapped
/// value of an optional. Inherited properties come first. The parts have the same order as in
/// the value. Each part, including the text of its key or id, is created when the iterator
/// reaches it. Reading the first parts of a very large collection therefore costs no more than
/// reading the first parts of a small collection.
///
/// Dates, durations, data, decimal numbers, URLs, and UUIDs are treated as values without
/// parts.
public struct ValueParts: Sequence {
  /// The kind of parts that a value has.
  public enum Kind: Sendable {
    /// No parts.
    case whole
    /// The wrapped value of an optional, if any.
    case wrapped
    /// Stored properties.
    case properties
    /// The elements of a tuple.
    case tuple
    /// The associated values of an enumeration case.
    case payload
    /// The elements of a collection, in the order of the collection.
    case elements
    /// The entries of a dictionary, in no particular order.
    case entries
  }

  /// The kind of the parts.
  public let kind: Kind
  /// The number of parts.
  public let count: Int

  private let whole: ValuePart
  private let levels: [Mirror.Children]
  /// A Boolean value that indicates whether elements are distinguished by their ids, as in a
  /// ``StateDifference``.
  ///
  /// The elements of an array are distinguished by their positions, because an array can contain
  /// the same element twice.
  private let hasIDs: Bool
  /// The redaction for keys and ids.
  private let labelRedaction: Redaction
  /// The secret identity that the properties of the value must not show.
  private let identity: SecretIdentity?

  init(of whole: ValuePart, showsSecrets: Bool = false) {
    self.whole = whole
    let mirror = Mirror(reflecting: whole.value)
    let isHidden = whole.isSecret && !showsSecrets
    labelRedaction = showsSecrets ? .none : whole.redaction
    levels = isHidden || Self.isWhole(whole.value) ? [] : mirror.levels
    count = levels.reduce(0) { $0 + $1.count }
    kind =
      switch mirror.displayStyle {
      case _ where isHidden: .whole
      case .collection, .set: .elements
      case .dictionary: .entries
      case .optional: .wrapped
      case _ where count == 0: .whole
      case .tuple: .tuple
      case .enum: .payload
      default: .properties
      }
    hasIDs = whole.value is any ChangeTracking
    identity = kind == .properties && !showsSecrets ? SecretIdentity(of: whole) : nil
  }

  /// Returns an iterator over the parts.
  public func makeIterator() -> some IteratorProtocol<ValuePart> { dropFirst(0).makeIterator() }

  /// Returns the parts after the first parts.
  ///
  /// The skipped parts are not created, so skipping them costs much less than reading them.
  ///
  /// - Parameter count: The number of parts to skip.
  public func dropFirst(_ count: Int = 1) -> some Sequence<ValuePart> {
    levels.lazy.flatMap { $0.lazy.enumerated() }.dropFirst(count)
      .map { part($0.element, position: $0.offset) }
  }

  /// Returns whether the description of a value is more informative than its parts.
  private static func isWhole(_ value: Any) -> Bool {
    value is Date || value is URL || value is UUID || value is Decimal || value is Data || value is Duration
  }

  private func part(_ child: Mirror.Child, position: Int) -> ValuePart {
    switch kind {
    case .wrapped:
      ValuePart(child.value, label: whole.label, at: whole.place, redacting: whole.redaction)
    case .elements: element(child.value, position: position)
    case .entries: entry(child.value, position: position)
    case .whole, .properties, .tuple, .payload: property(child, position: position)
    }
  }

  private func element(_ value: Any, position: Int) -> ValuePart {
    let position = KeyText(position: position)
    guard hasIDs, let id = KeyText(idOf: [value], in: whole.place, redacting: labelRedaction) else {
      return part(value, of: position, at: position.place(in: whole.place), name: nil)
    }
    let place = id.place(in: whole.place)
    guard id.isSecret else { return part(value, of: id, at: place, name: nil) }
    return part(
      value, of: position, at: PartPath(shown: position.place(in: whole.place).shown, full: place.full),
      name: nil)
  }

  /// Returns the part for a dictionary entry that a mirror presents as a pair.
  private func entry(_ pair: Any, position: Int) -> ValuePart {
    let pair = Array(Mirror(reflecting: pair).children)
    guard pair.count == 2 else {
      let position = KeyText(position: position)
      return part(pair, of: position, at: position.place(in: whole.place), name: nil)
    }
    let key = KeyText(pair[0].value, of: [pair[1].value], in: whole.place, redacting: labelRedaction)
    return part(pair[1].value, of: key, at: key.place(in: whole.place), name: key.name)
  }

  private func part(_ value: Any, of key: KeyText, at place: PartPath, name: String?) -> ValuePart {
    ValuePart(
      value, label: key.text, at: place, isSecret: whole.redaction.hides(name, at: place),
      labelHidesSomething: key.hidesSomething, redacting: whole.redaction)
  }

  private func property(_ child: Mirror.Child, position: Int) -> ValuePart {
    let name = Mirror.name(of: child, at: position, inTuple: kind == .tuple)
    let place = whole.place.property(name)
    let isSecret = whole.redaction.hides(name, at: place) || identity?.isShown(by: child.value) == true
    return ValuePart(
      child.value, label: name, at: place, isSecret: isSecret, redacting: whole.redaction)
  }
}

extension Mirror {
  /// The children of the value at each level of its class hierarchy, beginning with the base
  /// class.
  var levels: [Children] { (superclassMirror?.levels ?? []) + [children] }

  /// Returns the name of a property or a tuple element in a path.
  ///
  /// The name of a child without a label is its position. The label of an unnamed tuple element
  /// is a dot followed by the element's position. The returned name does not contain the dot.
  static func name(of child: Child, at position: Int, inTuple: Bool) -> String {
    var name = child.label ?? "\(position)"
    if inTuple, name.hasPrefix(".") { name.removeFirst() }
    return name
  }
}
