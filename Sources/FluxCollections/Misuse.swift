/// The programming errors that stop the program.
///
/// All messages of the module are in this file. The functions use `fatalError`, because release
/// builds also print its message.
@usableFromInline
enum Misuse {
  @usableFromInline
  static func noSuchPosition(_ position: Int, count: Int) -> Never {
    fatalError(
      """
      Flux: position \(position) is out of bounds. The OrderedState has a count of \(count). If a position \
      can be out of bounds, use element(at:), which returns nil for such a position.
      """)
  }
}
