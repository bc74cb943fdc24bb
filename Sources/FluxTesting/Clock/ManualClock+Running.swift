import FluxCore

extension ManualClock {
  /// The maximum number of consecutive calls of `Task.yield()` during a run.
  private static var patience: Int { 100 }

  /// Advances the clock from deadline to deadline, and gives woken tasks time to sleep again
  /// after each deadline.
  ///
  /// ```swift
  /// store.send(StartTimer())
  /// await clock.run(for: .seconds(3), sleepers: 1)
  /// await store.receive(Tick.self) { $0.ticks = 1 }
  /// ```
  ///
  /// At each deadline, the method wakes the tasks with that deadline, and waits until the woken
  /// tasks run. Because the method cannot determine when the woken tasks stop running, it calls
  /// `Task.yield()` until as many tasks have fallen asleep as were woken. The number of yields
  /// is limited, because a woken task does not necessarily sleep again. If you pass `sleepers`,
  /// a run is deterministic, because time passes only while at least `sleepers` tasks are
  /// sleeping.
  ///
  /// If the task that runs the clock is canceled, the method returns early, and the clock keeps
  /// the time that it has reached.
  ///
  /// - Parameters:
  ///   - duration: The duration by which the clock advances. If the duration is negative, no
  ///     time passes.
  ///   - count: The minimum number of tasks that must be sleeping before time passes, and
  ///     before the method returns. Do not count tasks that end during the run, because the
  ///     method would wait for them forever.
  public func run(for duration: Duration, sleepers count: Int = 0) async {
    await run(until: now.advanced(by: duration), sleepers: count)
  }

  /// Advances the clock from deadline to deadline up to an instant, in the same way as
  /// ``run(for:sleepers:)``.
  public func run(until instant: Instant, sleepers count: Int = 0) async {
    await run(limit: instant, sleepers: count)
  }

  /// Advances the clock from deadline to deadline until no task is sleeping.
  ///
  /// As in ``run(for:sleepers:)``, woken tasks have a limited time to sleep again, which is
  /// enough for short work between two sleeps. If a task sleeps again each time it is woken,
  /// the method returns only when the task that runs the clock is canceled.
  public func run() async {
    await run(limit: nil, sleepers: 0)
  }

  /// Advances the clock from deadline to deadline while an operation runs.
  ///
  /// ```swift
  /// let page = try await clock.run(while: { try await fetch(page: 3, retries: 5, clock: clock) })
  /// #expect(clock.now.offset == .seconds(7))
  /// ```
  ///
  /// When the operation sleeps on the clock, the clock advances and wakes the operation, so a
  /// sleep takes no real time. Other tasks that sleep on the clock wake at their deadlines. If
  /// only the operation sleeps on the clock, the run is deterministic.
  ///
  /// - Returns: The return value of the operation.
  /// - Throws: The error that the operation throws.
  public nonisolated(nonsending) func run<Value, Failure: Error>(
    while operation: nonisolated(nonsending) () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let time = Timeline.current.ofTimers.startTask { [self] in
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
    _ = await time.result
    return try result.get()
  }

  private func run(limit: Instant?, sleepers count: Int) async {
    // Tasks that have just started need time to fall asleep.
    await stepAside { false }
    while true {
      await sleepers(atLeast: count)
      guard !Task.isCancelled else { return }
      let step = step(until: limit)
      guard step != .ended else { return }
      await settle(after: step)
    }
  }

  /// Waits until the woken tasks run, and then gives the tasks a limited time to sleep again.
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
