import FluxCore
import FluxMiddleware

/// A store whose actions and states a run records, and checks against its rules.
final class ObservedStore<State: FluxState & Equatable>: Sendable {
  private struct Contents: Sendable {
    var state: State?
    /// The index of the store among the stores of the run, and the numbers of its states.
    var numbers: (index: Int, of: StateNumbers<State>)?
  }

  private let run: ExplorationRun
  private let redaction: Redaction
  private let contents = Locked(Contents())

  init(in run: ExplorationRun, redacting redaction: Redaction) {
    self.run = run
    self.redaction = redaction
  }

  /// The plug-in that observes the store.
  var plugin: Plugin<State> {
    Plugin(
      middleware: { [run, redaction] _, _ in
        { next in
          { action in run.dispatching(ActionName(action, redacting: redaction)) { next(action) } }
        }
      },
      wrapReducer: { [self] reducer in
        { [self] state, action in
          reducer(&state, action)
          reduced(to: state)
          run.check(state, .always, redaction)
        }
      },
      onStoreStart: { [self] context in begin(context) })
  }

  private func begin(_ context: ActionContext) {
    guard let state = context.stateToKeep(of: State.self) else { return }
    let index = run.contents.withLock { contents in
      contents.effects.removeAll { $0.scope === context.scope }
      contents.effects.append((context.scope, redaction))
      contents.observed.append(self)
      contents.states.append(0)
      return contents.states.count - 1
    }
    let numbers = run.memory?.numbers(ofStore: index, State.self)
    contents.withLock { contents in
      contents.state = state
      contents.numbers = numbers.map { (index, $0) }
    }
    record(state)
    run.check(state, .always, redaction)
  }

  private func reduced(to state: State) {
    contents.withLock { $0.state = state }
    record(state)
  }

  private func record(_ state: State) {
    guard let (index, numbers) = contents.withLock({ $0.numbers }) else { return }
    let number = numbers.number(of: state)
    run.contents.withLock { contents in
      contents.states[index] = number
      contents.observations.reduced(to: number)
    }
  }
}

extension ObservedStore: StateChecking {
  func check(_ rules: [ExplorationRun.Rule], _ time: ExplorationRun.Rule.Time) {
    guard let state = contents.withLock({ $0.state }) else { return }
    run.check(state, rules, time, redaction)
  }

  func hasState(of rule: ExplorationRun.Rule) -> Bool {
    contents.withLock { $0.state }.map { rule.fits($0) } ?? false
  }
}
