/// Functions that stop the program with a message if a plug-in of this module is misused.
enum Misuse {
  /// Stops the program because the plug-in of a journal was used in two stores.
  static func journalOfSecondStore() -> Never {
    fatalError(
      """
      Flux: the plug-in of a journal was added to a second store. A journal records one store. Create a \
      plug-in for each store, each with a directory of its own.
      """)
  }

  /// Stops the program because the plug-in of a replica was used in two stores.
  static func replicaOfSecondStore(in state: Any.Type) -> Never {
    fatalError(
      """
      Flux: the plug-in of a ReplicaSync was added to a second store, with a state of type \(state). Create \
      a ReplicaSync for each store.
      """)
  }
}
