/// Every way of using async work and streams that stops the program, with its message.
enum Misuse {
  /// Two tasks wait for the next value of one iteration.
  static func waitedTwice<Element>(for type: Element.Type) -> Never {
    fatalError(
      """
      Flux: two tasks wait for the next \(type) of one iterator of a state stream, or of copies of it. Let each task \
      make an iterator of its own: iterate the stream in each.
      """)
  }
}
