import Foundation

/// The files of one saved state: the current one, the one before it, and what a save is writing aside.
///
/// A save writes aside (`state.json.partial`), renames the current file to be the previous one (`state.json`
/// → `state.previous.json`), and then what it wrote to be the current one. Wherever that is cut short, one
/// whole generation stands, and nothing has to be repaired before it can be read:
///
/// | cut short | current | previous | aside |
/// | --- | --- | --- | --- |
/// | while it writes | old | older | half-written: it is set aside |
/// | before the first rename | old | older | whole: it is put in place |
/// | between the renames | – | old | whole: it is put in place |
///
/// What cannot be used is never overwritten or removed: it is set aside under a name that says why. Only what
/// was half-written, which happens to every program that is killed, is kept once. What cannot be read may be
/// read by the next program: it makes way for a save, and is put back if that cannot be written.
///
/// Pure but for the storage: who uses it makes sure that nobody else does at the time.
struct SavedGenerations: Sendable {
  enum Generation: Sendable {
    case current, previous
  }

  /// A file that may be used, or why it may not.
  private enum Finding {
    case absent
    case usable(SavedFile)
    case unusable(PersistenceError)
  }

  private let storage: any StateStorage
  private let name: String
  private let version: Int
  /// What is in the current file; `nil` if there is none, or it is of another version.
  private(set) var body: Data?
  /// Whether the files were looked at, so that they may be renamed and overwritten.
  private var isSafeToSave = false
  private var hasCurrent = false
  /// The files that a load could not read, with what was wrong.
  private var unread: [String: PersistenceError] = [:]

  init(in storage: any StateStorage, name: String, version: Int) {
    self.storage = storage
    self.name = name
    self.version = version
  }

  func file(_ generation: Generation) -> String {
    switch generation {
    case .current: "\(name).json"
    case .previous: "\(name).previous.json"
    }
  }

  private var partial: String { "\(name).json.partial" }
  private var halfWritten: String { "\(name).half-written.json" }

  // MARK: - Loading

  /// Finds the newest generation that decodes.
  ///
  /// - Parameters:
  ///   - decode: Makes a value of a file. What it throws sets the file aside.
  ///   - problems: Where the problems found on the way are added.
  mutating func load<Value>(
    problems: inout [PersistenceError],
    decode: (_ file: SavedFile, _ name: String) throws(PersistenceError) -> Value
  ) -> (value: Value, from: Generation)? {
    isSafeToSave = false
    body = nil
    problems += finishInterruptedSave()
    for generation in [Generation.current, .previous] {
      let name = file(generation)
      switch examine(name) {
      case .absent: continue
      case .unusable(let problem):
        if problem.code == .unreadable { unread[name] = problem }
        if !problems.contains(problem) { problems.append(problem) }
      case .usable(let file):
        unread[name] = nil
        do {
          let value = try decode(file, name)
          if generation == .current && file.version == version { body = file.body }
          return (value, generation)
        } catch {
          problems.append(setAside(name, for: error))
        }
      }
    }
    return nil
  }

  // MARK: - Saving

  /// Saves a state in place of the current one, which becomes the previous one.
  ///
  /// - Parameter problems: Where problems with older files are added, which do not keep the state from being
  ///   saved.
  mutating func save(_ newBody: Data, problems: inout [PersistenceError]) throws(PersistenceError) {
    var unreadable: [PersistenceError] = []
    do {
      if !isSafeToSave { try prepareToSave(settingAside: &unreadable, problems: &problems) }
      // Whatever fails below, the files are looked at again before the next save: a rename may have happened
      // all the same.
      isSafeToSave = false
      let bytes = SavedFile(version: version, body: newBody).bytes
      try attempt(.unwritable, partial) { try storage.write(bytes, to: partial) }
    } catch {
      problems += putBack(unreadable)
      throw error
    }
    problems += unreadable
    unread = [:]
    body = nil
    try rotate()
    body = newBody
    isSafeToSave = true
  }

  /// Looks at every file that a save will rename or overwrite, once; those that are not usable are set aside.
  ///
  /// - Parameter unreadable: Where those are added that could not be read, and may have to be put back.
  private mutating func prepareToSave(
    settingAside unreadable: inout [PersistenceError], problems: inout [PersistenceError]
  ) throws(PersistenceError) {
    // What could not be read at the start has not been seen, even if it can be read by now: it must not be overwritten.
    for (_, problem) in unread.sorted(by: { $0.key < $1.key }) {
      if let problem = try clear(problem) { unreadable.append(problem) }
    }
    // What was in the way of an interrupted save has made way then.
    var hasMadeWay = true
    while hasMadeWay {
      hasMadeWay = false
      for problem in finishInterruptedSave() + lookAtGenerations() {
        if problem.code == .unreadable {
          guard let problem = try clear(problem) else { continue }
          // There are no more files than these. Who renames and has not renamed must not keep this thread for ever.
          guard unreadable.count < 4 else { throw problem }
          unreadable.append(problem)
          hasMadeWay = true
        } else {
          guard problem.setAsideAs != nil else { throw problem }
          problems.append(problem)
        }
      }
    }
  }

  /// Sets a file aside that cannot be read, which is left alone while only reading is at stake; `nil` if there is none.
  private func clear(_ problem: PersistenceError) throws(PersistenceError) -> PersistenceError? {
    guard try isThere(problem.file) else { return nil }
    let problem = setAside(problem.file, for: problem)
    guard problem.setAsideAs != nil else { throw problem }
    return problem
  }

  /// Puts files back that have made way for a save that cannot be written; returns those that stay aside.
  private mutating func putBack(_ unreadable: [PersistenceError]) -> [PersistenceError] {
    unreadable.filter { problem in
      guard let aside = problem.setAsideAs else { return false }
      do {
        if try !storage.names().contains(problem.file) {
          try storage.rename(aside, to: problem.file)
          return false
        }
      } catch {
        // That it is aside is said, and it is kept there.
      }
      unread[problem.file] = nil
      return true
    }
  }

  /// Whether there is a file of that name, which reading it does not tell if it fails.
  private func isThere(_ file: String) throws(PersistenceError) -> Bool {
    try attempt(.unreadable, file) { try storage.names() }.contains(file)
  }

  /// Looks at the generations; what is wrong with them is returned.
  private mutating func lookAtGenerations() -> [PersistenceError] {
    var problems: [PersistenceError] = []
    for generation in [Generation.previous, .current] {
      hasCurrent = false
      switch examine(file(generation)) {
      case .absent: continue
      case .usable: hasCurrent = true
      case .unusable(let problem): problems.append(problem)
      }
    }
    return problems
  }

  /// Makes the current file the previous one, and what stands aside the current one.
  private mutating func rotate() throws(PersistenceError) {
    let (current, previous) = (file(.current), file(.previous))
    if hasCurrent {
      try attempt(.unwritable, current) { try storage.rename(current, to: previous) }
      hasCurrent = false
    }
    try attempt(.unwritable, current) { try storage.rename(partial, to: current) }
    hasCurrent = true
  }

  // MARK: - What an interrupted save leaves

  /// Puts in place what an interrupted save had written whole, and sets aside what it had not.
  private mutating func finishInterruptedSave() -> [PersistenceError] {
    do {
      guard let bytes = try bytes(of: partial) else { return [] }
      let file: SavedFile
      do {
        file = try SavedFile(bytes)
      } catch {
        return [setAsideHalfWritten(reason: error.reason)]
      }
      if file.version > version { return [setAside(partial, for: newerVersion(file, partial))] }
      // What makes way for it must not be lost either.
      let problems = lookAtGenerations()
      guard problems.allSatisfy({ $0.setAsideAs != nil }) else { return problems }
      do {
        try rotate()
        return problems
      } catch {
        return problems + [error]
      }
    } catch {
      return [error]
    }
  }

  private func setAsideHalfWritten(reason: String) -> PersistenceError {
    let problem = PersistenceError(.halfWritten, file: partial, reason: reason)
    do {
      try storage.rename(partial, to: halfWritten)
      return problem.with(.setAside(name: halfWritten))
    } catch {
      return problem.with(.stuck(reason: "\(error)".onOneLine))
    }
  }

  // MARK: - What cannot be used

  /// Reads a file; one that is not whole or of a newer version is set aside.
  private func examine(_ name: String) -> Finding {
    do {
      guard let bytes = try bytes(of: name) else { return .absent }
      do {
        let file = try SavedFile(bytes)
        return file.version > version
          ? .unusable(setAside(name, for: newerVersion(file, name))) : .usable(file)
      } catch {
        return .unusable(setAside(name, for: PersistenceError(error.code, file: name, reason: error.reason)))
      }
    } catch {
      return .unusable(error)
    }
  }

  private func newerVersion(_ file: SavedFile, _ name: String) -> PersistenceError {
    PersistenceError(
      .newerVersion, file: name, reason: "it is of version \(file.version), and this program knows \(version)"
    )
  }

  /// The bytes of a file; `nil` if there is none, whatever reading it says.
  private func bytes(of file: String) throws(PersistenceError) -> Data? {
    do {
      return try attempt(.unreadable, file) { try storage.read(file) }
    } catch {
      if isMissing(file) { return nil }
      throw error
    }
  }

  /// Whether it is known that there is no file of a name.
  private func isMissing(_ file: String) -> Bool {
    do { return try !storage.names().contains(file) } catch { return false }
  }

  /// Renames a file so that its name says what is wrong with it, under a number that is free.
  private func setAside(_ file: String, for problem: PersistenceError) -> PersistenceError {
    let prefix = "\(name).\(problem.code)-"
    do {
      let taken = Set(try storage.names())
      var number = 1
      while taken.contains("\(prefix)\(number).json") { number += 1 }
      let aside = "\(prefix)\(number).json"
      do {
        try storage.rename(file, to: aside)
      } catch {
        // It may have been renamed all the same.
        let names = try storage.names()
        if names.contains(file) || !names.contains(aside) { throw error }
      }
      return problem.with(.setAside(name: aside))
    } catch {
      return problem.with(.stuck(reason: "\(error)".onOneLine))
    }
  }

  private func attempt<Result>(
    _ code: PersistenceError.Code, _ file: String, _ body: () throws -> Result
  ) throws(PersistenceError) -> Result {
    do {
      return try body()
    } catch {
      throw PersistenceError(code, file: file, reason: "\(error)".onOneLine)
    }
  }
}
