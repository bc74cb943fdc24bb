extension SavedGenerations {
  enum Generation: Sendable {
    case current, previous
  }

  /// The newest value that could be decoded, and the file that contains it.
  struct Found<Value> {
    let value: Value
    let from: Generation
    /// A Boolean value that indicates whether the next start of the program loads the same
    /// value if nothing else is saved.
    var isCertain = false
    let file: SavedFile
    let name: String
  }

  /// A function that decodes a value from a file.
  ///
  /// If the function throws an error, the caller sets the file aside.
  typealias Decoder<Value> = (_ file: SavedFile, _ name: String) throws(PersistenceError) -> Value
}
