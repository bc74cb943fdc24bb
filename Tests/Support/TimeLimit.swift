package import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs, so that the test fails instead of blocking the reports of all others.
  ///
  /// The limit is not a measure of a test's duration. Among thousands of tests on a busy machine,
  /// a test waits long for each of its turns.
  package static var unlessItHangs: Self { .timeLimit(.minutes(15)) }
}
