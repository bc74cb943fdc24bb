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
/// A file that cannot be used is never overwritten or removed: it is set aside under a name that says why. Of
/// half-written files, which every killed program can leave, only the last one is kept. The next program may
/// be able to read a file that this one cannot: the file makes way for a save, and is put back if the save
/// cannot be written. A save that replaces a file that the program has not loaded keeps a copy of the file.
///
/// The value has no state other than the storage's. Its owner makes sure that one thread at a time uses it.
struct SavedGenerations: Sendable {
  /// A file that may be used, or why it may not.
  private enum Finding {
    case absent
    case usable(SavedFile)
    case unusable(PersistenceError)
  }

  private let storage: any StateStorage
  private let name: String
  private let version: Int
  private let legacy: LegacyFile?
  /// The JSON that the next start loads, in this version; `nil` if that is not known.
  private(set) var body: Data?
  /// The file that was loaded, until it is known to be safe from a loss of power.
  private var unsynchronized: String?
  /// The file in which a save kept what the program had not loaded.
  private(set) var kept: String?
  /// Whether the files were looked at, so that they may be renamed and overwritten.
  private var isSafeToSave = false
  private var hasCurrent = false
  /// The files that a load could not read, with what was wrong.
  private var unread: [String: PersistenceError] = [:]

  init(in storage: any StateStorage, name: String, version: Int, legacy: LegacyFile? = nil) {
    self.storage = storage
    self.name = name
    self.version = version
    self.legacy = legacy
  }

  func file(_ generation: Generation) -> String {
    switch generation {
    case .current: "\(name).json"
    case .previous: "\(name).previous.json"
    }
  }

  private var partial: String { "\(name).json.partial" }
  private var halfWritten: String { "\(name).half-written.json" }
  private var copy: String { "\(name).json.copy" }

  // MARK: - Loading

  /// Finds the newest generation that decodes.
  ///
  /// - Parameter problems: Where the problems found on the way are added.
  mutating func load<Value>(
    problems: inout [PersistenceError], decode: Decoder<Value>
  ) -> Found<Value>? {
    isSafeToSave = false
    body = nil
    unsynchronized = nil
    var found = finishInterruptedSave()
    var newest = self.newest(problems: &found, decode: decode)
    problems += found
    // The next start may be able to use a file that is still in its place.
    if found.allSatisfy({ $0.setAsideAs != nil }), let file = newest?.file, let name = newest?.name {
      newest?.isCertain = true
      unsynchronized = name
      if file.version == version { body = file.body }
    }
    return newest
  }

  /// Loads the file that a save has kept.
  mutating func loadKept<Value>(
    _ name: String, problems: inout [PersistenceError], decode: Decoder<Value>
  ) -> Found<Value>? {
    find(.current, named: name, problems: &problems, decode: decode)
  }

  /// Makes sure that the loaded file is safe from a loss of power.
  mutating func synchronize() throws(PersistenceError) {
    guard let file = unsynchronized else { return }
    try attempt(.unwritable, file) { try storage.synchronize(file) }
    unsynchronized = nil
  }

  private mutating func newest<Value>(
    problems: inout [PersistenceError], decode: Decoder<Value>
  ) -> Found<Value>? {
    let count = problems.count
    for generation in [Generation.current, .previous] {
      let name = file(generation)
      if let found = find(generation, named: name, problems: &problems, decode: decode) { return found }
    }
    guard let file = legacy?.file else { return nil }
    let from = problems.count == count ? Generation.current : .previous
    return find(from, named: file, problems: &problems, decode: decode)
  }

  private mutating func find<Value>(
    _ generation: Generation, named name: String, problems: inout [PersistenceError], decode: Decoder<Value>
  ) -> Found<Value>? {
    switch examine(name) {
    case .absent: return nil
    case .unusable(let problem):
      if problem.code == .unreadable, name != legacy?.file { unread[name] = problem }
      if !problems.contains(problem) { problems.append(problem) }
      return nil
    case .usable(let file):
      unread[name] = nil
      do {
        return Found(value: try decode(file, name), from: generation, file: file, name: name)
      } catch {
        problems.append(setAside(name, for: error))
        return nil
      }
    }
  }

  // MARK: - Saving

  /// Saves a state in place of the current one, which becomes the previous one.
  ///
  /// - Parameters:
  ///   - decode: Decodes a file that the program has not loaded, so that a copy of it is kept; `nil` if the
  ///     program has loaded what was saved.
  ///   - problems: Where problems with older files are added, which do not keep the state from being saved.
  mutating func save<Value>(
    _ newBody: Data, keepingWhatDecodes decode: Decoder<Value>?, problems: inout [PersistenceError]
  ) throws(PersistenceError) {
    // Whatever fails below, a write or a rename may have happened all the same: what the next start loads is
    // not known until a save has succeeded.
    body = nil
    unsynchronized = nil
    var unreadable: [PersistenceError] = []
    do {
      if !isSafeToSave { try prepareToSave(settingAside: &unreadable, problems: &problems) }
      isSafeToSave = false
      if let decode, kept == nil { try keepNewest(problems: &problems, decode: decode) }
      let bytes = SavedFile(version: version, body: newBody).bytes
      try attempt(.unwritable, partial) { try storage.write(bytes, to: partial) }
    } catch {
      problems += putBack(unreadable)
      throw error
    }
    problems += unreadable
    unread = [:]
    try rotate()
    body = newBody
    isSafeToSave = true
  }

  /// Keeps a copy of the newest file that decodes.
  ///
  /// A copy and not a rename: whenever the save is interrupted, the next start finds what it would have found
  /// before.
  private mutating func keepNewest<Value>(
    problems: inout [PersistenceError], decode: Decoder<Value>
  ) throws(PersistenceError) {
    var found: [PersistenceError] = []
    let newest = self.newest(problems: &found, decode: decode)
    for problem in found {
      guard problem.setAsideAs != nil || problem.file == legacy?.file else { throw problem }
      problems.append(problem)
    }
    guard let newest else {
      hasCurrent = false
      return
    }
    if newest.name != file(.current) { hasCurrent = false }
    let problem = PersistenceError(
      .notRestored, file: newest.name, reason: "a state was saved before it was loaded or restored")
    if newest.name == legacy?.file {
      kept = newest.name
      problems.append(problem)
      return
    }
    let aside = try attempt(.unreadable, newest.name) { try freeName(for: .notRestored) }
    try attempt(.unwritable, aside) {
      try storage.write(newest.file.bytes, to: copy)
      try storage.rename(copy, to: aside)
    }
    kept = aside
    problems.append(problem.with(.setAside(name: aside)))
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
        // The program that was interrupted may not have synchronized it.
        try attempt(.unwritable, partial) { try storage.synchronize(partial) }
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
        let file = legacy == nil ? try SavedFile(bytes) : try SavedFile(orPlainJSON: bytes)
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
  ///
  /// A file that another program saved stays as it is.
  private func setAside(_ file: String, for problem: PersistenceError) -> PersistenceError {
    if file == legacy?.file { return problem }
    do {
      let aside = try freeName(for: problem.code)
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

  private func freeName(for code: PersistenceError.Code) throws -> String {
    let prefix = "\(name).\(code)-"
    let taken = Set(try storage.names())
    var number = 1
    while taken.contains("\(prefix)\(number).json") { number += 1 }
    return "\(prefix)\(number).json"
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
