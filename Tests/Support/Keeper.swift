package import Testing

/// An object made from a closure, for a test of how long the object keeps the captured values.
package struct Keeper: Sendable, CustomTestStringConvertible {
  /// The name of its type.
  package let testDescription: String
  private let endsLater: Bool
  private let make: @MainActor @Sendable (_ touch: @escaping @Sendable () -> Void) async -> [Any]

  /// - Parameters:
  ///   - name: The name of its type.
  ///   - endsLater: Whether a task may still be releasing it, so that the test has to wait.
  ///   - make: Makes the object from a closure that calls `touch`, uses it, and returns it, with
  ///     the store in which it was used, if there was one.
  package init(
    _ name: String, endsLater: Bool = false,
    make: @escaping @MainActor @Sendable (_ touch: @escaping @Sendable () -> Void) async -> [Any]
  ) {
    testDescription = name
    self.endsLater = endsLater
    self.make = make
  }

  /// Expects the captured value to exist while the object or a copy of it exists, and to be
  /// released with the last one.
  @MainActor
  package func expectRelease(sourceLocation: SourceLocation = #_sourceLocation) async {
    let (tracker, calls, released) = (LifetimeTracker(), Shared(0), EventLog<Bool>())
    var kept = await make(Self.touching(tracker.make { released.record(true) }, calls))
    var copy = kept
    #expect(calls.value > 0, "its closure was not called", sourceLocation: sourceLocation)
    kept = []
    #expect(tracker.alive == 1, "it does not keep its closure", sourceLocation: sourceLocation)
    withExtendedLifetime(copy) {}
    copy = []
    if endsLater { await released.count(atLeast: 1) }
    #expect(tracker.alive == 0, "its closure is kept", sourceLocation: sourceLocation)
    withExtendedLifetime((kept, copy)) {}
  }

  private static func touching(
    _ tracked: LifetimeTracker.Tracked, _ calls: Shared<Int>
  ) -> @Sendable () -> Void {
    {
      tracked.touch()
      calls.increment()
    }
  }
}
