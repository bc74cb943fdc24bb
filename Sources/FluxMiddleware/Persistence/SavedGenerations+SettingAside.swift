extension SavedGenerations {
  /// Renames a file so that its new name contains a description of the problem and an unused
  /// number.
  ///
  /// A file that another program saved is not renamed.
  func setAside(_ file: String, for problem: PersistenceError) -> PersistenceError {
    if file == legacy?.file { return problem }
    do {
      let aside = try freeName(for: problem.code)
      do {
        try storage.rename(file, to: aside)
      } catch {
        // The storage might have renamed the file before it threw the error.
        let names = try storage.names()
        if names.contains(file) || !names.contains(aside) { throw error }
      }
      return problem.with(.setAside(name: aside))
    } catch {
      return problem.with(.stuck(reason: "\(error)".onOneLine))
    }
  }

  func freeName(for code: PersistenceError.Code) throws -> String {
    let prefix = "\(name).\(code)-"
    let taken = Set(try storage.names())
    var number = 1
    while taken.contains("\(prefix)\(number).json") { number += 1 }
    return "\(prefix)\(number).json"
  }
}
