import Synchronization

/// Numbers that tell whether the screens of a navigation state have changed, without comparing
/// them.
@usableFromInline
enum NavigationVersion {
  private static let last = Atomic<UInt64>(0)

  /// Returns a number that is unique in the process.
  @usableFromInline
  static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
