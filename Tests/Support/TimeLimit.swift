package import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs, so that it fails in place of keeping all others from being told.
  ///
  /// It says nothing of how long a test takes: among thousands of others, on a machine that has more to do, a test waits
  /// long for each of its turns.
  package static var unlessItHangs: Self { .timeLimit(.minutes(15)) }
}
