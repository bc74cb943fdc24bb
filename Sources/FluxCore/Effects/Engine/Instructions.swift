extension WorkStateMachine {
  /// The instructions that a thread executes after an event, from first to last.
  ///
  /// No memory is allocated for a single instruction.
  package struct Instructions: Hashable, Sendable {
    private var list = SmallArray<Instruction>()

    @inline(__always)
    package var isEmpty: Bool { list.isEmpty }

    /// A Boolean value that indicates whether there is more than one instruction.
    var hasSeveral: Bool { list.hasSeveral }

    mutating func append(_ instruction: Instruction) {
      list.append(instruction)
    }

    /// Calls a closure with each instruction.
    @inline(__always)
    package func forEach(_ execute: (Instruction) -> Void) {
      list.forEach(execute)
    }
  }
}
