/// An event that can happen next in an explored order.
struct PendingEvent: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A task performs its next step, up to its next suspension.
    case step(task: String, number: Int)
    /// A held call receives an answer.
    case answer(call: String, outcome: String)
    /// The clock reaches the next deadline.
    case deadline(Duration)
    /// A possible event happens.
    case possible(String)
    /// No possible event happens until the test continues, or until the end of the order if the
    /// test waits for something else than quiet.
    case rest
  }

  let kind: Kind
  /// A hash that is the same in every process.
  let hash: UInt64

  init(_ kind: Kind) {
    self.kind = kind
    hash = kind.text.stableHash
  }

  static let rest = PendingEvent(.rest)

  /// The text for a story, which does not depend on the order.
  var text: String { kind.text }

  /// The cost of the event, if it is not the first pending event.
  ///
  /// People describe an order by its answers, deadlines, and user actions, and not by the steps of
  /// tasks. A step therefore has a higher cost.
  var cost: Int { isStep ? 2 : 1 }

  /// A Boolean value that indicates whether the event is a step of a task.
  var isStep: Bool { if case .step = kind { true } else { false } }

  /// A Boolean value that indicates whether a story mentions the event even if it is first come.
  var isTold: Bool {
    switch kind {
    case .step, .rest: false
    case .answer, .deadline, .possible: true
    }
  }
}

extension PendingEvent.Kind {
  fileprivate var text: String {
    switch self {
    case .step(let task, let number): "step \(number) of \(task)"
    case .answer(let call, "success"): "answer to \(call)"
    case .answer(let call, let outcome): "\(outcome) for \(call)"
    case .deadline(let time): "the clock reaches \(time)"
    case .possible(let name): name
    case .rest: "nothing else happens"
    }
  }
}

extension String {
  /// The FNV-1a hash of the text, which is the same in every process.
  var stableHash: UInt64 {
    utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01b3 }
  }
}
