/// A model of rules that checks itself after each event.
package protocol EventModel {
  associatedtype Event: Sendable
  /// The rule that an event has broken.
  associatedtype Violation: Error, CustomStringConvertible

  /// Performs an event, and returns `false` if the event cannot happen now.
  mutating func happen(_ event: Event) throws(Violation) -> Bool
}

/// A walk through all orders of some events, up to a number of events.
package struct EventWalk<Model: EventModel> {
  /// The first order that breaks a rule.
  package struct Finding: CustomStringConvertible, Sendable {
    package let order: [Model.Event]
    package let rule: String

    package var description: String { "\(rule): \(order.map { "\($0)" }.joined(separator: ", "))" }
  }

  /// The number of orders, including the orders that are the beginnings of others.
  package private(set) var orders = 0
  package private(set) var finding: Finding?
  private let events: [Model.Event]

  /// Walks through all orders.
  ///
  /// - Parameters:
  ///   - model: The model before the first event.
  ///   - beginning: The events with which all orders begin.
  ///   - events: The events that follow in all orders.
  ///   - length: The maximum number of events after the beginning.
  package init(_ model: Model, beginning: [Model.Event], events: [Model.Event], length: Int) {
    self.events = events
    var model = model
    for (index, event) in beginning.enumerated() where finding == nil {
      _ = happen(event, &model, Array(beginning[...index]))
    }
    walk(model, beginning, length)
  }

  private mutating func walk(_ model: Model, _ order: [Model.Event], _ length: Int) {
    orders += 1
    guard length > 0 else { return }
    for event in events where finding == nil {
      var next = model
      if happen(event, &next, order + [event]) { walk(next, order + [event], length - 1) }
    }
  }

  private mutating func happen(_ event: Model.Event, _ model: inout Model, _ order: [Model.Event]) -> Bool {
    do {
      return try model.happen(event)
    } catch {
      finding = Finding(order: order, rule: error.description)
      return false
    }
  }
}

extension EventWalk: Sendable {}
