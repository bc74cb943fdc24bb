import Foundation

/// The files of one saved state: the current file, the previous file, and the partial file of a
/// save.
///
/// A save writes the partial file (`state.json.partial`) and renames the current file to the
/// previous file (`state.json` → `state.previous.json`). Finally, the save renames the partial
/// file to the current file. Whenever a save is interrupted, at least one complete file exists
/// that can be read without repair:
///
/// | interrupted | current | previous | partial |
/// | --- | --- | --- | --- |
/// | during the write | old | older | half-written: it is set aside |
/// | before the first rename | old | older | complete: it is put in place |
/// | between the renames | – | old | complete: it is put in place |
///
/// A file that cannot be used is neither overwritten nor removed. Instead, the file is renamed so
/// that its name indicates the reason. A half-written file can remain when a program is killed,
/// and only the last half-written file is kept. A file that the storage cannot read now might
/// become readable later. A save sets an unreadable file aside, and puts the file back if the new
/// state cannot be written. If a save replaces a file that the program has not loaded, the save
/// keeps a copy of the file.
///
/// The owner of this value must ensure that only one thread at a time uses it.
struct SavedGenerations: Sendable {
  /// The result of examining a file.
  private enum Finding {
    case absent
    case usable(SavedFile)
    case unusable(PersistenceError)
  }

  let storage: any StateStorage
  let name: String
  private let version: Int
  let legacy: LegacyFile?
  /// The JSON that the next start of the program loads, if that JSON is known and has the
  /// current version.
  private(set) var body: Data?
  /// The name of the loaded file, or `nil` if that file is known to be safe from a power loss.
  private var unsynchronized: String?
  /// The name of the file in which a save kept a state that the program had not loaded.
  private(set) var kept: String?
  /// A Boolean value that indicates whether the files were examined, so that a save can rename
  /// and overwrite them.
  private var isSafeToSave = false
  private var hasCurrent = false
  /// A dictionary that maps the names of the files that could not be read to their problems.
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

  /// Returns the value of the newest file that can be decoded.
  ///
  /// - Parameter problems: The array to which the problems of the load are added.
  mutating func load<Value>(
    problems: inout [PersistenceError], decode: Decoder<Value>
  ) -> Found<Value>? {
    isSafeToSave = false
    body = nil
    unsynchronized = nil
    var found = finishInterruptedSave()
    var newest = self.newest(problems: &found, decode: decode)
    problems += found
    // If a file with a problem was not set aside, the next start of the program might be able
    // to use the file.
    if found.allSatisfy({ $0.setAsideAs != nil }), let file = newest?.file, let name = newest?.name {
      newest?.isCertain = true
      unsynchronized = name
      if file.version == version { body = file.body }
    }
    return newest
  }

  /// Returns the value of a file that a save has kept under another name.
  mutating func loadKept<Value>(
    _ name: String, problems: inout [PersistenceError], decode: Decoder<Value>
  ) -> Found<Value>? {
    find(.current, named: name, problems: &problems, decode: decode)
  }

  /// Makes the loaded file safe from a power loss.
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

  /// Saves a state as the current file.
  ///
  /// The existing current file becomes the previous file.
  ///
  /// - Parameters:
  ///   - decode: A function that decodes a saved file, to determine which file to copy before the
  ///     save replaces it, or `nil` if the program has loaded the saved state.
  ///   - problems: The array to which the method adds problems with older files that do not
  ///     prevent the save.
  mutating func save<Value>(
    _ newBody: Data, keepingWhatDecodes decode: Decoder<Value>?, problems: inout [PersistenceError]
  ) throws(PersistenceError) {
    // If a write or a rename below throws an error, the operation might still have been
    // performed. Until a save succeeds, it is not known which state the next start of the
    // program will load.
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

  /// Keeps a copy of the newest file that can be decoded.
  ///
  /// The file is copied instead of renamed, so that the next start of the program finds the
  /// same files as before if the save is interrupted.
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
      .notRestored, file: newest.name, reason: "a state was saved before the file was loaded or restored")
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

  /// Examines every file that a save renames or overwrites, and sets aside each file that cannot
  /// be used.
  ///
  /// - Parameter unreadable: The array to which the problems of unreadable files are added,
  ///   because these files might have to be put back.
  private mutating func prepareToSave(
    settingAside unreadable: inout [PersistenceError], problems: inout [PersistenceError]
  ) throws(PersistenceError) {
    // A file that the load could not read was not examined, and must not be overwritten, even if
    // it can be read now.
    for (_, problem) in unread.sorted(by: { $0.key < $1.key }) {
      if let problem = try clear(problem) { unreadable.append(problem) }
    }
    // If a file that blocked an interrupted save has been set aside, the files are examined
    // again.
    var hasMadeWay = true
    while hasMadeWay {
      hasMadeWay = false
      for problem in finishInterruptedSave() + lookAtGenerations() {
        if problem.code == .unreadable {
          guard let problem = try clear(problem) else { continue }
          // At most four files can be unreadable. The limit ends the loop even if the storage
          // reports a rename that it did not perform.
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

  /// Sets aside an unreadable file and returns the problem, or returns `nil` if the file does
  /// not exist.
  ///
  /// A load does not set unreadable files aside.
  private func clear(_ problem: PersistenceError) throws(PersistenceError) -> PersistenceError? {
    guard try isThere(problem.file) else { return nil }
    let problem = setAside(problem.file, for: problem)
    guard problem.setAsideAs != nil else { throw problem }
    return problem
  }

  /// Puts unreadable files back after a failed save, and returns the problems with the files
  /// that remain set aside.
  private mutating func putBack(_ unreadable: [PersistenceError]) -> [PersistenceError] {
    unreadable.filter { problem in
      guard let aside = problem.setAsideAs else { return false }
      do {
        if try !storage.names().contains(problem.file) {
          try storage.rename(aside, to: problem.file)
          return false
        }
      } catch {
        // The problem contains the name under which the file is kept.
      }
      unread[problem.file] = nil
      return true
    }
  }

  /// Returns whether a file exists.
  ///
  /// A failed read does not show whether the file exists.
  private func isThere(_ file: String) throws(PersistenceError) -> Bool {
    try attempt(.unreadable, file) { try storage.names() }.contains(file)
  }

  /// Examines the previous file and the current file, and returns the problems.
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

  /// Renames the current file to the previous file, and the partial file to the current file.
  private mutating func rotate() throws(PersistenceError) {
    let (current, previous) = (file(.current), file(.previous))
    if hasCurrent {
      try attempt(.unwritable, current) { try storage.rename(current, to: previous) }
      hasCurrent = false
    }
    try attempt(.unwritable, current) { try storage.rename(partial, to: current) }
    hasCurrent = true
  }

  // MARK: - Interrupted saves

  /// Makes the complete file of an interrupted save the current file, or sets a half-written
  /// file aside.
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
      // The files that the interrupted save would have replaced must not be lost.
      let problems = lookAtGenerations()
      guard problems.allSatisfy({ $0.setAsideAs != nil }) else { return problems }
      do {
        // The interrupted program might not have synchronized the file.
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

  // MARK: - Unusable files

  /// Reads and checks a file.
  ///
  /// An incomplete file, or a file that a newer version of the program saved, is set aside.
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
      .newerVersion, file: name,
      reason: "its version is \(file.version), but this program supports versions up to \(version)")
  }

  /// Returns the contents of a file, or `nil` if the file does not exist.
  ///
  /// The method also returns `nil` if the storage throws an error because the file does not
  /// exist.
  private func bytes(of file: String) throws(PersistenceError) -> Data? {
    do {
      return try attempt(.unreadable, file) { try storage.read(file) }
    } catch {
      if isMissing(file) { return nil }
      throw error
    }
  }

  /// Returns whether a file is known not to exist.
  private func isMissing(_ file: String) -> Bool {
    do { return try !storage.names().contains(file) } catch { return false }
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
