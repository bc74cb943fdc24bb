import FluxCore
package import Testing

/// A trait that stops the time of the stores that a test creates.
///
/// Without the trait, a test that takes a minute on a busy machine observes the end of lifetimes.
package struct StoppedTime: TestTrait, TestScoping {
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Timeline.$ofTest.withValue(Timeline(JumpingClock(), executor: nil)) {
      try await function()
    }
  }
}

extension Trait where Self == StoppedTime {
  /// Stops the time of the stores that the test creates.
  package static var stoppedTime: Self { StoppedTime() }
}
