/// A model of rules that checks itself after each event.
protocol EventModel: Hashable {
  associatedtype Event: Sendable

  /// Performs an event, and returns `false` if the event cannot happen now.
  mutating func happen(_ event: Event) throws(Violation) -> Bool
}

/// The rule that an event has broken.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A walk through all orders of some events, up to a number of events.
///
/// The walk continues once from each state that it reaches with the same number of events.
struct EventWalk<Model: EventModel> {
  /// The number of states that the walk has reached.
  private(set) var states = 0
  /// The first order that breaks a rule, or `nil`.
  private(set) var finding: String?

  init(_ model: Model, events: [Model.Event], length: Int) {
    var reached: [Model: [Model.Event]] = [model: []]
    for _ in 0..<length {
      var next: [Model: [Model.Event]] = [:]
      for (model, order) in reached {
        for event in events {
          var changed = model
          do throws(Violation) {
            if try changed.happen(event), next[changed] == nil { next[changed] = order + [event] }
          } catch {
            finding = "\(error): \((order + [event]).map { "\($0)" }.joined(separator: ", "))"
            return
          }
        }
      }
      reached = next
      states += reached.count
    }
  }
}
