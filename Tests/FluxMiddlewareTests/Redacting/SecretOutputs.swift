import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport

/// All outputs of the package about states and actions.
final class SecretOutputs: Sendable {
  private let redaction: Redaction
  private let outputs = EventLog<String>()

  init(redaction: Redaction) {
    self.redaction = redaction
  }

  var all: [String] { outputs.values }

  /// Writes a description, and the labels, paths, and text of all parts.
  func describe(_ value: Any) {
    outputs.record(redaction.text(of: value))
    var lines: [String] = []
    func describe(_ part: ValuePart) {
      lines += [part.label, part.path, part.text]
      for part in part.parts { describe(part) }
    }
    describe(ValuePart(value, redacting: redaction))
    outputs.record(lines.joined(separator: "\n"))
  }

  func compare<Value>(_ old: Value, _ new: Value) {
    outputs.record(StateDifference(from: old, to: new, redacting: redaction).description)
  }

  /// Runs an action through a store with all logging plug-ins, and through a test store whose
  /// reports all fail.
  func run<State: FluxState & Codable & Equatable, Sent: Action & Codable & Equatable>(
    _ state: State, _ action: Sent, by reducer: @escaping MutatingReducer<State>
  ) throws {
    let write: @Sendable (String) -> Void = { [outputs] in outputs.record($0) }
    let history = History<State>()
    let flips = EventLog<Void>()
    let store = Store(
      reducer: { (state: inout State, action) in
        reducer(&state, action)
        // Not pure, which the development checks report.
        flips.record(())
        if flips.values.count.isMultiple(of: 2) { reducer(&state, action) }
      },
      middleware: [
        loggingMiddleware(redacting: redaction, sink: LogSink(write)),
        printActionMiddleware(printer: write, redacting: redaction),
      ],
      plugins: [
        history.plugin, .logging(redacting: redaction, sink: LogSink(write)),
        .developmentChecks(
          .impureReducers, evenInRelease: true, redacting: redaction, report: { write("\($0)") }),
      ], state: state)
    store.dispatch(action)
    for registry in [ActionRegistry(), ActionRegistry(Sent.self)] {
      let data = try history.export(from: store, with: registry, redacting: redaction)
      outputs.record(String(decoding: data, as: UTF8.self))
    }
    if let data = try ActionRegistry(Sent.self).encode(action, redacting: redaction) {
      outputs.record(String(decoding: data, as: UTF8.self))
    }
    report(state, action, by: reducer)
  }

  /// Records the errors of exporting a state, of exporting an action, and of encoding an action.
  ///
  /// Neither the state nor the action can be encoded.
  func fail<State: FluxState & Codable, Sent: Action & Codable>(_ state: State, _ action: Sent) {
    let registry = ActionRegistry(Sent.self)
    fail { try export(of: state, action, with: registry) }
    fail { try export(of: Empty(), action, with: registry) }
    fail { try registry.encode(action, redacting: redaction) }
  }

  private func export<State: FluxState & Codable>(
    of state: State, _ action: some Action, with registry: ActionRegistry
  ) throws -> Data {
    let history = History<State>()
    let reducer: MutatingReducer<State> = { _, _ in }
    let store = Store(reducer: reducer, plugins: [history.plugin], state: state)
    store.dispatch(action)
    return try history.export(from: store, with: registry, redacting: redaction)
  }

  private func fail(_ body: () throws -> Data?) {
    do {
      _ = try body()
    } catch {
      outputs.record("\(error)")
    }
  }

  private func report<State: FluxState & Equatable>(
    _ state: State, _ action: some Action & Equatable, by reducer: @escaping MutatingReducer<State>
  ) {
    let store = TestStore(
      reducer: reducer, state: state, redacting: redaction,
      reporter: TestReporter { [outputs] in outputs.record($0.message) })
    store.send(action)
    store.send(action) { (state: inout State) in throw Wrong(value: state) }
    store.exhaustivity = .off(showsSkipped: true)
    store.send(action)
  }
}

private struct Wrong<Value: Sendable>: Error {
  let value: Value
}

private struct Empty: FluxState, Codable {}
