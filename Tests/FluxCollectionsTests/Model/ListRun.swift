import FluxCollections
import TestSupport

/// A sequence of operations on a list and its model.
struct Run {
  let shape: ListShape
  let operations: [ListOperation]

  init(shape: ListShape, operations: [ListOperation]) {
    self.shape = shape
    self.operations = operations
  }

  init(_ setting: ListModelTests.Setting, seed: UInt64, length: Int) {
    var random = SeededGenerator(seed: seed)
    var model = ListModel()
    shape = setting.shape
    operations = (0..<length).map { _ in
      let operation = ListOperation.random(size: setting.size, count: model.order.count, using: &random)
      model.perform(operation)
      return operation
    }
  }

  /// The first difference, after the shortest sequence of operations that was found; `nil` if
  /// there is none.
  func failure(
    also problem: (OrderedState<Entry>) -> String? = { _ in nil }
  ) -> (words: String, operations: [ListOperation])? {
    guard let (length, first) = firstFailure(problem) else { return nil }
    var words = first
    var shortest = Array(operations[..<length])
    // Removes smaller and smaller parts while the sequence still fails without them.
    var part = length / 2
    while part > 0 {
      var start = 0
      while start < shortest.count {
        var shorter = shortest
        shorter.removeSubrange(start..<min(start + part, shorter.count))
        if let (length, found) = Run(shape: shape, operations: shorter).firstFailure(problem) {
          shortest = Array(shorter[..<length])
          words = found
        } else {
          start += part
        }
      }
      part /= 2
    }
    return (words, shortest)
  }

  private func firstFailure(_ problem: (OrderedState<Entry>) -> String?) -> (length: Int, words: String)? {
    var list = OrderedState<Entry>(shape: shape)
    var model = ListModel()
    var kept: (list: OrderedState<Entry>, entries: [Entry]) = (list, [])
    for (index, operation) in operations.enumerated() {
      operation.perform(on: &list)
      model.perform(operation)
      let isThorough = index.isMultiple(of: 50) || index == operations.count - 1
      if let words = difference(list, model, isThorough: isThorough) ?? problem(list) {
        return (index + 1, words)
      }
      guard isThorough else { continue }
      // A kept version is unchanged, whatever happened to its copies.
      if kept.list.values != kept.entries { return (index + 1, "an old version has changed") }
      kept = (list, model.entries)
    }
    return nil
  }

  private func difference(_ list: OrderedState<Entry>, _ model: ListModel, isThorough: Bool) -> String? {
    if list.count != model.order.count { return "\(list.count) elements, not \(model.order.count)" }
    guard isThorough else { return nil }
    if list.values != model.entries { return "other elements" }
    return list.inconsistency
  }
}
