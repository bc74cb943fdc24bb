import FluxCore
import Testing

/// A family of small scenarios: all programs of a number of threads with a number of operations
/// each.
///
/// Threads are equivalent, so programs that differ only in the order of their threads count as
/// one. The family contains each program twice, with transition observers and without.
struct DeliveryFamily: Sendable, CustomTestStringConvertible {
  /// An operation of a thread.
  enum Letter: Int, CaseIterable, Sendable {
    case dispatch
    /// Dispatches, and one of the first observer's calls dispatches from inside.
    case nestedDispatch
    /// Subscribes an observer, and makes its first call.
    case subscribe
    /// Cancels the first observer, which exists from the beginning.
    case cancel
    /// Opens a batch, dispatches and closes it.
    case batch
    case replaceReducer
    /// Dispatches on the main thread and empties the mailbox of an observer on the main actor.
    case mailbox
    case end
  }

  let threads: Int
  let operations: Int
  /// The distance between two selected scenarios.
  var each = 1

  var testDescription: String {
    "\(threads) threads with \(operations) operations each\(each == 1 ? "" : ", one program of \(each)")"
  }

  /// Calls the body with every selected scenario, until it returns false.
  func forEach(_ body: (DeliveryScenario) -> Bool) {
    var number = 0
    var goesOn = true
    forEachProgram { words in
      defer { number += 1 }
      guard goesOn, number.isMultiple(of: each) else { return goesOn }
      for observesTransitions in [false, true] where goesOn {
        goesOn = body(Self.scenario(of: words, observesTransitions: observesTransitions))
      }
      return goesOn
    }
  }

  /// The programs: a word for each thread, in alphabetical order.
  private func forEachProgram(_ body: ([[Letter]]) -> Bool) {
    let words = (0..<operations).reduce(into: [[Letter]()]) { words, _ in
      words = words.flatMap { word in Letter.allCases.map { word + [$0] } }
    }
    func extend(_ program: [[Letter]], from first: Int) -> Bool {
      if program.count == threads { return body(program) }
      for index in first..<words.count where Self.isPossible(program + [words[index]]) {
        guard extend(program + [words[index]], from: index) else { return false }
      }
      return true
    }
    _ = extend([], from: 0)
  }

  /// Whether there is at most one main thread, and at most one end.
  private static func isPossible(_ program: [[Letter]]) -> Bool {
    program.filter { $0.contains(.mailbox) }.count <= 1 && program.joined().filter { $0 == .end }.count <= 1
  }

  private static func scenario(of words: [[Letter]], observesTransitions: Bool) -> DeliveryScenario {
    let nested = words.joined().filter { $0 == .nestedDispatch }.count
    var observers = [DeliveryScenario.Observer(reactions: Array(repeating: [.dispatch], count: nested))]
    let mainThread = words.firstIndex { $0.contains(.mailbox) }
    if mainThread != nil { observers.append(.init(lane: .main)) }
    var programs: [[DeliveryScenario.Operation]] = []
    for word in words {
      programs.append([])
      for letter in word {
        if letter == .subscribe { observers.append(.init(isThere: false)) }
        programs[programs.count - 1] += operations(of: letter, subscribing: observers.count - 1)
      }
    }
    let text = words.map { $0.map { "\($0)" }.joined(separator: ", ") }.joined(separator: " | ")
    return DeliveryScenario(
      title: text + (observesTransitions ? ", with transitions" : ""), programs: programs,
      observers: observers, observesTransitions: observesTransitions, mainThread: mainThread, patience: 1)
  }

  private static func operations(
    of letter: Letter, subscribing observer: Int
  ) -> [DeliveryScenario.Operation] {
    switch letter {
    case .dispatch, .nestedDispatch: [.dispatch]
    case .subscribe: [.subscribe(observer)]
    case .cancel: [.cancel(0)]
    case .batch: [.openBatch, .dispatch, .closeBatch]
    case .replaceReducer: [.replaceReducer]
    case .mailbox: [.dispatchOnMain]
    case .end: [.end]
    }
  }
}
