// Attempts, which can end before their work, and races between dispatches.

extension WorkStateMachine {
  // MARK: Attempts

  // An attempt is a scope in its work, which contains everything that the operation starts. If the
  // work can have only one attempt, the operation uses the scope of the work instead. After an
  // attempt has failed, its scope ends, and the next attempt begins after no thread is dispatching
  // an action in the scope.

  /// Records that the operation of an attempt has returned or thrown an error.
  ///
  /// - Returns: `false` if the attempt has ended before, because the time limit has passed or
  ///   the work was canceled. In that case, the result must be ignored.
  package mutating func attemptReturned(_ attempt: NodeID) -> Bool {
    let index = index(attempt)
    guard !self[index].isEnded, !self[index].isOver else { return false }
    self[index].isOver = true
    return true
  }

  /// Records that the time limit of an attempt has passed, and cancels the attempt.
  ///
  /// - Returns: The instructions, or `nil` if the attempt has ended before.
  package mutating func attemptTimedOut(
    _ attempt: NodeID, by thread: ThreadIdentity
  ) -> Instructions? {
    guard attemptReturned(attempt) else { return nil }
    return end(attempt, by: thread)
  }

  /// Records that the last attempt has failed.
  ///
  /// Actions that the attempt itself dispatches from now on are dropped. The tasks and work that
  /// the attempt has started continue.
  package mutating func close(_ attempt: NodeID) {
    self[index(attempt)].isClosed = true
  }

  // MARK: Races

  /// Opens the scope of a dispatch that takes part in a race.
  ///
  /// - Returns: The scope, or `nil` if the race is decided or canceled.
  package mutating func openRacer(in race: NodeID) -> NodeID? {
    let index = index(race)
    guard !self[index].isEnded, !self[index].isOver else { return nil }
    let racer = insert(.scope, under: index)
    self[racer].isRacer = true
    return id(racer)
  }

  /// Records that the action of a racer was dispatched.
  ///
  /// If the action has started no work, or if all of its work is done and some of it was not
  /// idle, the racer wins. The other racers are canceled in the same event, so a race has at
  /// most one winner.
  package mutating func racerDispatched(_ racer: NodeID, by thread: ThreadIdentity) -> Instructions {
    var instructions = Instructions()
    let index = index(racer)
    self[index].isDispatched = true
    decideRace(index, by: thread, &instructions)
    return inOrder(instructions)
  }

  /// Returns a Boolean value that indicates whether a race is neither decided nor canceled.
  package func isRacing(_ race: NodeID) -> Bool {
    let index = index(race)
    return !self[index].isOver && !self[index].isEnded
  }

  /// Records that a caller waits until a race is decided, or until all racers are done.
  ///
  /// - Returns: A Boolean value that indicates whether the caller has to wait for
  ///   ``Instruction/resumeIdle(_:)`` of the race.
  package mutating func awaitRace(_ race: NodeID) -> Bool {
    let index = index(race)
    guard !self[index].isOver, !self[index].isEnded, self[index].unfinished > 0 else { return false }
    self[index].awaitsIdle = true
    return true
  }

  /// Decides the race of a racer if the racer is done and has done something.
  mutating func decideRace(
    _ racer: Int32, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) {
    guard self[racer].isRacer else { return }
    let node = self[racer]
    guard node.isDispatched, !node.isEnded, node.unfinished == 0, isProductive(id(racer)) else { return }
    let race = node.parent
    guard !self[race].isOver else { return }
    self[race].isOver = true
    var other = self[race].firstChild
    while other != Self.none {
      if other != racer, self[other].isRacer { endScope(other, by: thread, &instructions) }
      other = self[other].next
    }
    guard self[race].awaitsIdle else { return }
    self[race].awaitsIdle = false
    instructions.append(.resumeIdle(id(race)))
  }
}
