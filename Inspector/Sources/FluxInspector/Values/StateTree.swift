import FluxMiddleware
import Foundation

/// Makes trees of values, by reflection, within bounds.
struct StateTree {
  /// The most entries of a dictionary that are put in order; of more, those are told that come first in its own.
  private static let mostSorted = 10_000

  private let limits: InspectorLimits
  /// How many more nodes there may be.
  private var nodes: Int
  /// How many more bytes all texts may have.
  private var bytes: Int

  private init(limits: InspectorLimits) {
    self.limits = limits
    nodes = limits.nodes
    bytes = limits.nodes * 100
  }

  /// The tree of a value, or of what is found within it on a path of labels; `nil` if there is no such path, or if it
  /// could be more than one.
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
    let label = take(part.label, of: limits.characters)
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
      guard depth < limits.depth, nodes > 0, bytes > 0 else {
        node.isCut = true
        break
      }
      children.append(self.node(of: part, depth: depth + 1))
    }
    node.children = children
    return node
  }

  /// The parts that are told: as many as may be, entries by their keys in ascending order.
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
        ? "\"\(take(part.text, of: limits.characters))\"" : take(part.text, of: limits.characters)
    }
  }

  private mutating func summary(of part: ValuePart, _ parts: ValueParts) -> String {
    switch parts.kind {
    case .elements: parts.count == 1 ? "1 element" : "\(parts.count) elements"
    case .entries: parts.count == 1 ? "1 entry" : "\(parts.count) entries"
    case .payload: take(part.text, of: min(100, limits.characters))
    case .properties, .tuple, .wrapped, .whole:
      part.value is any CustomStringConvertible ? take(part.text, of: min(100, limits.characters)) : ""
    }
  }

  /// A text, cut to a length, and counted.
  private mutating func take(_ text: String, of length: Int) -> String {
    let shown = text.cut(to: length)
    bytes -= shown.utf8.count
    return shown
  }
}

extension ValuePart {
  /// The part without the optionals around it; `nil` if there is no value.
  fileprivate var unwrapped: ValuePart? {
    var part = self
    while !part.isSecret, case let parts = part.parts, parts.kind == .wrapped {
      guard let inner = parts.first(where: { _ in true }) else { return nil }
      part = inner
    }
    return part
  }
}

extension ValueParts {
  /// The part with a label; `nil` if there is none, or if it cannot be told which, since something in it is hidden.
  fileprivate func part(labelled label: String) -> ValuePart? {
    guard label.contains(Redaction.mark) else { return first { $0.label == label } }
    let alike = filter { $0.label == label }
    return alike.count == 1 ? alike.first : nil
  }
}
