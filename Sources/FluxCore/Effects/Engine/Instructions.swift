extension WorkStateMachine {
  /// The instructions that a thread executes after an event, from first to last.
  ///
  /// No memory is allocated for a single instruction.
  package struct Instructions: Hashable, Sendable {
    private var first: Instruction?
    private var others: [Instruction] = []

    package var isEmpty: Bool { first == nil }

    mutating func append(_ instruction: Instruction) {
      if first == nil { first = instruction } else { others.append(instruction) }
    }

    /// Calls a closure with each instruction.
    package func forEach(_ execute: (Instruction) -> Void) {
      guard let first else { return }
      execute(first)
      for instruction in others { execute(instruction) }
    }
  }
}
