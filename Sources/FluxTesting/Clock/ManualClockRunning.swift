extension ManualClock {
  /// How often a task that runs the clock steps aside for those it woke.
  private static var patience: Int { 100 }

  /// Lets time pass from deadline to deadline, and gives the tasks that wake time to sleep again in between.
  ///
  /// ```swift
  /// store.send(StartTimer())
  /// await clock.run(for: .seconds(3), sleepers: 1)
  /// await store.receive(Tick.self) { $0.ticks = 1 }
  /// ```
  ///
  /// At each deadline it wakes who sleeps until then, and waits until they run. How long they run nobody knows; it
  /// steps aside (`Task.yield()`) until as many have fallen asleep as were woken, but not for ever, for they may have
  /// something else to do. With `sleepers` nothing is left to chance: time goes on only when so many tasks sleep.
  ///
  /// Ends early, with the time as it is then, when the task is cancelled.
  ///
  /// - Parameters:
  ///   - duration: How much time passes. If it is negative, none does.
  ///   - count: How many tasks at least have to sleep, before time goes on and at the end. Tasks that end are not to be
  ///     counted: it would wait for them for ever.
  public func run(for duration: Duration, sleepers count: Int = 0) async {
    await run(until: now.advanced(by: duration), sleepers: count)
  }

  /// Lets time pass from deadline to deadline up to an instant, as ``run(for:sleepers:)`` does.
  public func run(until instant: Instant, sleepers count: Int = 0) async {
    await run(limit: instant, sleepers: count)
  }

  /// Lets time pass from deadline to deadline until nobody sleeps.
  ///
  /// Tasks that wake are given time to sleep again, as in ``run(for:sleepers:)``: enough for what is short. With a task
  /// that sleeps again and again it ends only when the task that runs it is cancelled.
  public func run() async {
    await run(limit: nil, sleepers: 0)
  }

  /// Lets time pass from deadline to deadline for as long as an operation takes.
  ///
  /// ```swift
  /// let page = try await clock.run(while: { try await fetch(page: 3, retries: 5, clock: clock) })
  /// #expect(clock.now.offset == .seconds(7))
  /// ```
  ///
  /// Whenever the operation sleeps on the clock it is woken, and so takes no time of anybody's. Others that sleep wake in
  /// their turn. Nothing is left to chance if the operation is all that sleeps.
  ///
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public nonisolated(nonsending) func run<Value, Failure: Error>(
    while operation: nonisolated(nonsending) () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let time = Task {
      while !Task.isCancelled {
        await sleepers(atLeast: 1)
        guard !Task.isCancelled else { return }
        await settle(after: step(until: nil))
      }
    }
    let result: Result<Value, Failure>
    do throws(Failure) {
      result = .success(try await operation())
    } catch {
      result = .failure(error)
    }
    time.cancel()
    await time.value
    return try result.get()
  }

  private func run(limit: Instant?, sleepers count: Int) async {
    // Tasks that were only just started get to sleep.
    await stepAside { false }
    while true {
      await sleepers(atLeast: count)
      guard !Task.isCancelled else { return }
      let step = step(until: limit)
      guard step != .ended else { return }
      await settle(after: step)
    }
  }

  /// Waits until those who were woken run, and then for a while for them to sleep again.
  private func settle(after step: ManualClockSchedule.Step) async {
    guard case .woke(let count, let naps) = step else { return }
    await wait(for: .everybodyAwake)
    await stepAside { self.naps >= naps + UInt64(count) }
  }

  private func stepAside(until isSettled: () -> Bool) async {
    for _ in 0..<Self.patience {
      if isSettled() || Task.isCancelled { return }
      await Task.yield()
    }
  }
}
