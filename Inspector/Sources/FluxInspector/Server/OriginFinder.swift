/// Finds the origins for all pages, on a separate thread, so that no session of a page waits.
///
/// ``OriginQueue`` decides the order of the searches.
actor OriginFinder {
  private let executor = ThreadExecutor()
  private let origins: Origins

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ origins: Origins) {
    self.origins = origins
  }

  /// Finds the text of a call stack; returns `nil` if the origin is unknown.
  func text(of stack: CallStack) -> String? {
    origins.resolve(stack)
  }
}
