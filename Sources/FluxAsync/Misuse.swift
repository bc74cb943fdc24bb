import FluxCore

/// Functions that stop the program with a message when asynchronous work is misused.
enum Misuse {
  /// Stops the program because two tasks wait for the next value of the same iterator.
  static func waitedTwice<Element>(for type: Element.Type) -> Never {
    fatalError(
      """
      Flux: two tasks await the next \(type) from one iterator of a state stream, or from copies of one \
      iterator. Create an iterator in each task: iterate over the stream in each task.
      """)
  }

  /// Stops the program because a task action implements neither method that performs its work.
  static func executesNothing<Work: TaskAction>(_ action: Work) -> Never {
    fatalError(
      """
      Flux: \(Work.self) was dispatched, but implements neither execute(in:) nor execute(state:dispatch:). \
      Implement one of these methods. If the action has such a method, compare its signature.
      """)
  }

  /// Stops the program because the same plug-in that keeps work was added to two stores, or twice
  /// to one store.
  static func keptWorkOfSecondStore<State>(in state: State.Type) -> Never {
    fatalError(
      """
      Flux: the same plug-in keep(while:) of \(state) was added to two stores, or twice to one store. The \
      plug-in belongs to one store. Call keep(while:) for each store.
      """)
  }

  /// Stops the program because the same listeners were added to two stores, or twice to one
  /// store.
  static func listenersOfSecondStore<State>(_ listeners: Listeners<State>) -> Never {
    fatalError(
      """
      Flux: the same \(Listeners<State>.self) were added to two stores, or twice to one store. Listeners \
      belong to one store. Create Listeners for each store, and start the same Listener values in each.
      """)
  }
}
