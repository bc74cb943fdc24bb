/// The programming errors that stop the program.
///
/// All messages of the module are in this file. The functions use `fatalError`, because release
/// builds print its message, too.
@usableFromInline
enum Misuse {
  @usableFromInline
  static func noSuchPosition(_ position: Int, count: Int) -> Never {
    fatalError(
      """
      Flux: there is no element at position \(position) of an OrderedState with \(count) elements. Ask for \
      element(at: \(position)), which is nil then, if the position is not your own.
      """)
  }
}
