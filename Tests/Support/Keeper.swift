package import Testing

/// Something that is made of a closure, for a test of how long it keeps what the closure captured.
package struct Keeper: Sendable, CustomTestStringConvertible {
  /// The name of its type.
  package let testDescription: String
  private let endsLater: Bool
  private let make: @MainActor @Sendable (_ touch: @escaping @Sendable () -> Void) async -> [Any]

  /// - Parameters:
  ///   - name: The name of its type.
  ///   - endsLater: Whether a task may be letting go of it still, which has to be waited for.
  ///   - make: Makes it of a closure that calls `touch`, puts it to use, and returns it, with the store that it was used
  ///     in, if there was one.
  package init(
    _ name: String, endsLater: Bool = false,
    make: @escaping @MainActor @Sendable (_ touch: @escaping @Sendable () -> Void) async -> [Any]
  ) {
    testDescription = name
    self.endsLater = endsLater
    self.make = make
  }

  /// Expects what its closure captured to be there while it is, or a copy of it, and to be released with the last one.
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
