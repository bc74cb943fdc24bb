/// Functions that stop the program with a message if this module is misused.
enum Misuse {
  /// Stops the program because the plug-in of a replica was used in a second store.
  static func replicaOfSecondStore(in state: Any.Type) -> Never {
    fatalError(
      """
      Flux: the plug-in of a ReplicaSync is used in a second store, with a state of type \(state). Create a \
      ReplicaSync for each store.
      """)
  }
}
