/// The numbers of the screens of one stack.
@usableFromInline
enum ScreenNumbers {
  /// The first number of the stack of a tab.
  ///
  /// The lower numbers belong to stacks without tabs, so that no tab contains their screens.
  @inlinable
  static func first(ofTab index: Int) -> UInt64 { (UInt64(index) + 1) << 40 }

  /// The first number of the stack that contains a number.
  @inlinable
  static func first(ofStackWith number: UInt64) -> UInt64 { number & ~(1 << 40 - 1) }

  /// Returns a Boolean value that indicates whether a number can be the next number of a stack,
  /// with room for the numbers of all later screens.
  static func isNext(_ number: UInt64, after first: UInt64) -> Bool {
    number > first && number - first < 1 << 39
  }
}
