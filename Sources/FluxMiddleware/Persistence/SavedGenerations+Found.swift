extension SavedGenerations {
  enum Generation: Sendable {
    case current, previous
  }

  /// The newest value that decodes.
  struct Found<Value> {
    let value: Value
    let from: Generation
    /// A Boolean value that indicates whether the next start loads the same value if nothing is saved.
    var isCertain = false
    let file: SavedFile
    let name: String
  }

  /// Makes a value of a file.
  ///
  /// An error sets the file aside.
  typealias Decoder<Value> = (_ file: SavedFile, _ name: String) throws(PersistenceError) -> Value
}
