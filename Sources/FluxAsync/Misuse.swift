import FluxCore

/// The misuses of asynchronous work that stop the program with a message.
enum Misuse {
  /// Stops the program because two tasks wait for the next value of the same iterator.
  static func waitedTwice<Element>(for type: Element.Type) -> Never {
    fatalError(
      """
      Flux: two tasks wait for the next \(type) of one iterator of a state stream, or of copies of it. Let each task \
      make an iterator of its own: iterate the stream in each.
      """)
  }

  /// Stops the program because the same listeners were added to two stores, or twice to one
  /// store.
  static func listenersOfSecondStore<State>(_ listeners: Listeners<State>) -> Never {
    fatalError(
      """
      Flux: \(Listeners<State>.self) were given to a second store, or twice to one. Their effects read and change one \
      store: make Listeners for each store, and start the same Listener values in each.
      """)
  }
}
