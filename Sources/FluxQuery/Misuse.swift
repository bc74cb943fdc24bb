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

  /// Stops the program because two types of saved queries have the same name.
  static func sharedSavedName(_ name: String, of first: Any.Type, and second: Any.Type) -> Never {
    fatalError(
      """
      Flux: the saved queries \(String(reflecting: first)) and \(String(reflecting: second)) have the same \
      savedName "\(name)". The saved results of one type would replace the results of the other type. Give \
      one of the types another savedName.
      """)
  }
}
