/// Functions that stop the program with a message when queries are misused.
enum Misuse {
  /// Stops the program because a second cache was added to a store.
  static func secondCache() -> Never {
    fatalError(
      """
      Flux: two plug-ins of a QuerySlice were added to one store. A store has one cache of queries. Remove \
      one of the plug-ins.
      """)
  }
}
