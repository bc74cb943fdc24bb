import FluxMiddleware
import Foundation

/// A builder of trees of values, which uses reflection and applies limits.
struct StateTree {
  /// The maximum number of dictionary entries that are sorted.
  ///
  /// A larger dictionary shows its first entries in iteration order.
  private static let mostSorted = 10_000

  private let limits: InspectorLimits
  /// The number of nodes that can still be added.
  private var nodes: Int
  private var budget: TextBudget

  private init(limits: InspectorLimits) {
    self.limits = limits
    nodes = limits.nodes
    budget = TextBudget(values: limits.nodes)
  }

  /// Returns the tree of a value, or of the part at a path of labels; returns `nil` if the path
  /// does not exist or is ambiguous.
  static func node(
    of value: Any, label: String, path: [String] = [], limits: InspectorLimits, redaction: Redaction
  ) -> StateNode? {
    var part = ValuePart(value, label: label, redacting: redaction)
    for label in path {
      guard let next = part.unwrapped?.parts.part(labelled: label) else { return nil }
      part = next
    }
    var tree = StateTree(limits: limits)
    return tree.node(of: part, depth: 0)
  }

  private mutating func node(of part: ValuePart, depth: Int) -> StateNode {
    nodes -= 1
    let type = String(describing: Swift.type(of: part.value))
    let label = budget.take(part.label, of: limits.characters)
    if part.isSecret { return StateNode(label: label, type: type, isRedacted: true) }
    guard let part = part.unwrapped else { return StateNode(label: label, type: type, value: "nil") }
    let parts = part.parts
    guard parts.count > 0 else {
      return StateNode(label: label, type: type, value: text(of: part, parts.kind))
    }
    var node = StateNode(label: label, type: type)
    node.summary = summary(of: part, parts)
    node.isCut = parts.count > limits.breadth ? true : nil
    var children: [StateNode] = []
    for part in told(parts) {
      guard depth < limits.depth, nodes > 0, !budget.isSpent else {
        node.isCut = true
        break
      }
      children.append(self.node(of: part, depth: depth + 1))
    }
    node.children = children
    return node
  }

  /// Returns the parts that are shown, up to the limit, with entries in the ascending order of
  /// their keys.
  private func told(_ parts: ValueParts) -> [ValuePart] {
    guard parts.kind == .entries, parts.count <= Self.mostSorted else {
      return Array(parts.prefix(limits.breadth))
    }
    let sorted = parts.sorted { $0.label.compare($1.label, options: .numeric) == .orderedAscending }
    return Array(sorted.prefix(limits.breadth))
  }

  private mutating func text(of part: ValuePart, _ kind: ValueParts.Kind) -> String {
    switch kind {
    case .elements: "no elements"
    case .entries: "no entries"
    default:
      part.value is String
        ? "\"\(budget.take(part.text, of: limits.characters))\""
        : budget.take(part.text, of: limits.characters)
    }
  }

  private mutating func summary(of part: ValuePart, _ parts: ValueParts) -> String {
    switch parts.kind {
    case .elements: parts.count == 1 ? "1 element" : "\(parts.count) elements"
    case .entries: parts.count == 1 ? "1 entry" : "\(parts.count) entries"
    case .payload: budget.take(part.text, of: min(100, limits.characters))
    case .properties, .tuple, .wrapped, .whole:
      part.value is any CustomStringConvertible ? budget.take(part.text, of: min(100, limits.characters)) : ""
    }
  }
}

extension ValuePart {
  /// The part without the optionals around it; `nil` if there is no value.
  var unwrapped: ValuePart? {
    var part = self
    while !part.isSecret, case let parts = part.parts, parts.kind == .wrapped {
      guard let inner = parts.first(where: { _ in true }) else { return nil }
      part = inner
    }
    return part
  }
}

extension ValueParts {
  /// Returns the part with a label; returns `nil` if no part has the label, or if a redaction
  /// makes the label ambiguous.
  fileprivate func part(labelled label: String) -> ValuePart? {
    guard label.contains(Redaction.mark) else { return first { $0.label == label } }
    let alike = filter { $0.label == label }
    return alike.count == 1 ? alike.first : nil
  }
}
