import FluxCore
import FluxMiddleware

extension ExplorationRun {
  /// A rule about the states of a store.
  struct Rule: Sendable {
    enum Time: Sendable {
      case always, eventually
    }

    let time: Time
    let name: String
    /// The type of the states that the rule is about.
    let type: any Any.Type
    /// Returns whether a state obeys the rule, or `nil` if the rule is about another type of state.
    let isObeyed: @Sendable (Any) throws -> Bool?
    /// Returns a Boolean value that indicates whether the rule is about the type of a state.
    let fits: @Sendable (Any) -> Bool
  }

  /// Requires that a condition is true for each state: for the present state, for the first state
  /// of each store, and after every action in every order.
  ///
  /// If no store of the run has the type of the state at the end of an order, the order fails. To
  /// state a rule about a store that only some orders create, call the method when the store is
  /// created.
  ///
  /// - Parameters:
  ///   - name: A description of the condition, for the report of a failure.
  ///   - isTrue: A closure that returns whether the condition is true for a state. The store calls
  ///     the closure while it reduces an action.
  public func always<State>(
    _ name: String = "a condition that is always true", _ isTrue: @escaping @Sendable (State) throws -> Bool
  ) {
    add(.always, name, isTrue)
  }

  /// Requires that a condition is true for the last state of every order.
  ///
  /// If no store of the run has the type of the state at the end of an order, the order fails.
  ///
  /// - Parameters:
  ///   - name: A description of the condition, for the report of a failure.
  ///   - isTrue: A closure that returns whether the condition is true for a state.
  public func eventually<State>(
    _ name: String = "a condition that is eventually true",
    _ isTrue: @escaping @Sendable (State) throws -> Bool
  ) {
    add(.eventually, name, isTrue)
  }

  private func add<State>(
    _ time: Rule.Time, _ name: String, _ isTrue: @escaping @Sendable (State) throws -> Bool
  ) {
    let rule = Rule(
      time: time, name: name, type: State.self, isObeyed: { state in try (state as? State).map(isTrue) },
      fits: { $0 is State })
    let stores = contents.withLock { contents in
      contents.rules.append(rule)
      return contents.observed
    }
    for store in stores { store.check([rule], .always) }
  }

  /// Checks a state against all rules for a time.
  func check(_ state: Any, _ time: Rule.Time, _ redaction: Redaction) {
    check(state, contents.withLock { $0.rules }, time, redaction)
  }

  /// Checks a state against the rules for a time.
  func check(_ state: Any, _ rules: [Rule], _ time: Rule.Time, _ redaction: Redaction) {
    for rule in rules where rule.time == time {
      do {
        if try rule.isObeyed(state) == false {
          fail("\(rule.name): not true for \(redaction.text(of: state))")
        }
      } catch {
        fail("\(rule.name): \(redaction.text(of: error))")
      }
    }
  }

  /// Checks the last states of stores, and requires that each rule is about one of the stores.
  ///
  /// A test that has failed may not have created all its stores, so the rules of a failed order are
  /// not required to be about a store.
  func checkAtEnd(_ stores: [any StateChecking]) {
    let (rules, hasFailed) = contents.withLock { contents in
      (contents.rules, contents.events.test != .ended || !contents.history.failures.isEmpty)
    }
    for store in stores { store.check(rules, .eventually) }
    guard !hasFailed else { return }
    for rule in rules where !stores.contains(where: { $0.hasState(of: rule) }) {
      fail(
        """
        \(rule.name): no store has this state: \(rule.type). Create the store with `run.store(…)`, or \
        give it the plug-in `run.plugin()`.
        """)
    }
  }
}

/// A store whose states a run checks.
protocol StateChecking: Sendable {
  /// Checks the present state of the store against the rules for a time.
  func check(_ rules: [ExplorationRun.Rule], _ time: ExplorationRun.Rule.Time)

  /// Returns a Boolean value that indicates whether a rule is about the type of the store's state.
  func hasState(of rule: ExplorationRun.Rule) -> Bool
}
