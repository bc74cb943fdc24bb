import FluxCore
import FluxMiddleware

/// The change that a test expects an action to make to the state.
struct StepExpectation<State: FluxState & Equatable> {
  typealias Step = TransitionLog<State>.Step

  /// The messages to report.
  ///
  /// A message is `nil` if there is nothing to report.
  struct Verdict {
    var failure: String?
    var skipped: String?
  }

  let change: ((inout State) throws -> Void)?
  let exhaustivity: Exhaustivity
  /// The secrets that are hidden in messages.
  let redaction: Redaction

  /// Compares the change that an action made with the expected change.
  ///
  /// - Parameters:
  ///   - step: The action with the states before and after it.
  ///   - way: The word that messages use for the origin of the action: "sent" or "received".
  func judge(_ step: Step, way: String) -> Verdict {
    // `subject` and `happened` are computed on demand, because most verdicts contain no
    // message.
    var subject: String { "\(step.action.logText(redacting: redaction)) was \(way)" }
    var happened: String { "\n  before → after: \(step.difference(redacting: redaction).logText)" }
    do {
      switch exhaustivity {
      case .on:
        let expected = try applied(to: step.before)
        if areSame(expected, step.after) { return Verdict() }
        guard change != nil else {
          return Verdict(failure: "\(subject) and changed the state unexpectedly.\(happened)")
        }
        return Verdict(failure: wrong(subject, expected: expected, actual: step.after) + happened)
      case .off(let showsSkipped):
        let expected = try applied(to: step.after)
        if !areSame(expected, step.after) {
          return Verdict(failure: wrong(subject, expected: expected, actual: step.after) + happened)
        }
        guard showsSkipped else { return Verdict() }
        let asserted = try applied(to: step.before)
        if areSame(asserted, step.after) { return Verdict() }
        let skipped = StateDifference(from: asserted, to: step.after, redacting: redaction).logText
        return Verdict(
          skipped: "Skipped changes by \(step.action.logText(redacting: redaction)):\n  \(skipped)")
      }
    } catch {
      return Verdict(
        failure: "\(subject), and the `expecting` closure threw \(redaction.text(of: error)).")
    }
  }

  /// Checks that the test expects no change from an action that was sent but did not reach the
  /// reducer.
  func judgeUnreduced(_ action: any Action, state: State) -> Verdict {
    var subject: String {
      "\(action.logText(redacting: redaction)) was sent but did not reach the reducer"
    }
    do {
      let expected = try applied(to: state)
      if areSame(expected, state) { return Verdict() }
      return Verdict(
        failure: "\(subject). A change was expected.\n  \(difference(from: expected, to: state))")
    } catch {
      return Verdict(
        failure: "\(subject), and the `expecting` closure threw \(redaction.text(of: error)).")
    }
  }

  private func applied(to state: State) throws -> State {
    var state = state
    try change?(&state)
    return state
  }

  /// Returns a Boolean value that indicates whether two states are equal.
  ///
  /// A state that contains NaN is not equal to itself. Two states that contain NaN count as
  /// equal if their difference is empty.
  private func areSame(_ first: State, _ second: State) -> Bool {
    if first == second { return true }
    let copy = first
    return first != copy && StateDifference(from: first, to: second).isEmpty
  }

  private func wrong(_ subject: String, expected: State, actual: State) -> String {
    "\(subject), but the new state is not the expected state.\n  \(difference(from: expected, to: actual))"
  }

  private func difference(from expected: State, to actual: State) -> String {
    let difference = StateDifference(from: expected, to: actual, redacting: redaction)
    let text =
      difference.isEmpty
      ? "the states are not equal, but no difference can be shown" : difference.description
    return "expected → actual: \(text)"
  }
}

extension TransitionLog.Step {
  /// Returns the change that the action made.
  func difference(redacting redaction: Redaction) -> StateDifference {
    StateDifference(from: before, to: after, redacting: redaction)
  }

  /// Returns a line of text with the action and the change that the action made.
  func text(redacting redaction: Redaction) -> String {
    "\(action.logText(redacting: redaction)): \(difference(redacting: redaction).logText)"
  }
}
