public import Foundation

/// A storage that keeps its files in a directory.
///
/// ``write(_:to:)`` hands the file to the disk (`fsync`) before it returns, and ``rename(_:to:)`` the
/// directory. On Apple's systems both also empty the disk's own cache (`F_FULLFSYNC`). The first write makes
/// the directory, and a later write makes it again if it was removed. Only the owner can read the files,
/// since a state may be private.
///
/// The storage opens regular files only, and never waits for another process: an operation on a FIFO, a
/// socket, a device, or a directory throws. A read follows a symbolic link to a regular file, and throws if
/// the link leads nowhere. A write never follows a symbolic link. A ``Persistence`` loads the file that a
/// link leads to, and the next save renames the link, as it renames any previous generation, and puts a
/// regular file in its place; it never changes the file that the link leads to.
///
/// One process at a time may save under one name: a second process can overwrite what the first one saved.
/// Every operation blocks, and may be called from any thread.
public struct FileStorage: StateStorage {
  /// What the operating system refused to do.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation that failed, such as `open`, `write`, or `rename`.
    ///
    /// `open as a regular file` means that the path names something else, such as a FIFO.
    public let operation: String
    /// The path that it was asked for.
    public let path: String
    /// The system's number for what went wrong, such as `ENOSPC` or `EROFS`.
    public let number: Int32

    /// Creates a failure.
    public init(operation: String, path: String, number: Int32) {
      self.operation = operation
      self.path = path
      self.number = number
    }

    /// Says what went wrong, with which path, in the system's words.
    public var description: String {
      "\(operation) \(path): \(String(cString: strerror(number))) (\(number))"
    }

    static func last(_ operation: String, _ path: String) -> Failure {
      Failure(operation: operation, path: path, number: errno)
    }
  }

  /// The directory in which the files are.
  public let directory: URL

  /// Creates a storage for a directory, which need not be there yet.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Returns the contents of a file, or `nil` if there is no file of that name.
  ///
  /// - Throws: ``Failure``.
  public func read(_ name: String) throws -> Data? {
    let path = try path(of: name)
    guard let file = try openIfPresent(path) else { return nil }
    defer { file.closeQuietly() }
    return try file.readAll()
  }

  /// Writes a file, and waits until it is on the disk.
  ///
  /// What could not be written whole is removed again, so that it takes no room on a full disk.
  ///
  /// - Throws: ``Failure``.
  public func write(_ data: Data, to name: String) throws {
    let path = try path(of: name)
    let file = try create(path)
    do {
      try file.write(data)
      try file.synchronize()
    } catch {
      file.closeQuietly()
      // What matters is the first error. What stays in place is known to be half-written.
      _ = unlink(path)
      throw error
    }
    try file.close()
  }

  /// Gives a file another name, and waits until that is on the disk.
  ///
  /// - Throws: ``Failure``.
  public func rename(_ name: String, to newName: String) throws {
    let (old, new) = (try path(of: name), try path(of: newName))
    guard Foundation.rename(old, new) == 0 else { throw Failure.last("rename", old) }
    try synchronizeDirectory(directory.path)
  }

  /// Waits until a file and the directory's names are on the disk.
  ///
  /// On a read-only file system there is nothing to wait for.
  ///
  /// - Throws: ``Failure``.
  public func synchronize(_ name: String) throws {
    let file = try OpenFile(try path(of: name), O_RDONLY)
    defer { file.closeQuietly() }
    do throws(Failure) {
      try file.synchronize()
      try synchronizeDirectory(directory.path)
    } catch {
      if error.number != EROFS { throw error }
    }
  }

  /// The names of what is in the directory; none if there is no directory.
  ///
  /// - Throws: ``Failure``.
  public func names() throws -> [String] {
    let path = directory.path
    guard let stream = opendir(path) else {
      let failure = Failure.last("open", path)
      if failure.number == ENOENT { return [] }
      throw failure
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      // Only `errno` tells the end from an error.
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    if errno != 0 { throw Failure.last("list", path) }
    return names
  }

  /// The path of a file.
  ///
  /// A name that would lead out of the directory is no name.
  private func path(of name: String) throws(Failure) -> String {
    guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(where: { $0 == 0 || $0 == 0x2F })
    else {
      throw Failure(operation: "name", path: name, number: EINVAL)
    }
    return directory.appendingPathComponent(name, isDirectory: false).path
  }

  /// Opens a file for reading; returns `nil` if nothing has the name, not even a symbolic link.
  private func openIfPresent(_ path: String) throws(Failure) -> OpenFile? {
    do throws(Failure) {
      return try OpenFile(path, O_RDONLY)
    } catch {
      var status = stat()
      guard error.number == ENOENT, lstat(path, &status) != 0 else { throw error }
      return nil
    }
  }

  /// Opens a file for writing, and makes the directory if there is none.
  private func create(_ path: String) throws(Failure) -> OpenFile {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
    do {
      return try OpenFile(path, flags)
    } catch  where error.number == ENOENT {
      try makeDirectory(directory.standardizedFileURL)
      return try OpenFile(path, flags)
    }
  }

  /// Makes a directory, and those above it that are missing, each safe from a loss of power.
  private func makeDirectory(_ directory: URL) throws(Failure) {
    let parent = directory.deletingLastPathComponent()
    do {
      try makeDirectory(directory.path, in: parent.path)
    } catch  where error.number == ENOENT {
      try makeDirectory(parent)
      try makeDirectory(directory.path, in: parent.path)
    }
  }

  private func makeDirectory(_ path: String, in parent: String) throws(Failure) {
    guard mkdir(path, 0o700) == 0 else {
      let failure = Failure.last("make", path)
      if failure.number == EEXIST { return }
      throw failure
    }
    try synchronizeDirectory(parent)
  }

  private func synchronizeDirectory(_ path: String) throws(Failure) {
    let directory = try OpenFile(directory: path)
    defer { directory.closeQuietly() }
    try directory.synchronize()
  }
}

/// An open file of the operating system.
private struct OpenFile {
  private let path: String
  private let descriptor: Int32

  init(_ path: String, _ flags: Int32) throws(FileStorage.Failure) {
    self.path = path
    descriptor = try Self.descriptor(of: path, flags)
  }

  init(directory path: String) throws(FileStorage.Failure) {
    self.path = path
    descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw .last("open", path) }
  }

  private static func descriptor(of path: String, _ flags: Int32) throws(FileStorage.Failure) -> Int32 {
    do throws(OpenFailure) {
      return try openRegularFile(path, flags, permissions: 0o600)
    } catch {
      switch error {
      case .refused(let number):
        throw FileStorage.Failure(operation: "open", path: path, number: number)
      case .notRegular(let number):
        throw FileStorage.Failure(operation: "open as a regular file", path: path, number: number)
      }
    }
  }

  func readAll() throws(FileStorage.Failure) -> Data {
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retrying { read(descriptor, &chunk, chunk.count) }
      if count < 0 { throw .last("read", path) }
      if count == 0 { return data }
      data.append(contentsOf: chunk[..<count])
    }
  }

  func write(_ data: Data) throws(FileStorage.Failure) {
    var rest = data[...]
    while !rest.isEmpty {
      let count = retrying { rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) } }
      if count < 0 { throw .last("write", path) }
      rest = rest.dropFirst(count)
    }
  }

  func synchronize() throws(FileStorage.Failure) {
    #if canImport(Darwin)
      if retrying({ fcntl(descriptor, F_FULLFSYNC) }) >= 0 { return }
    // Not every file system knows it.
    #endif
    if retrying({ fsync(descriptor) }) < 0 { throw .last("synchronize", path) }
  }

  /// Closes a file that has been written: a network's file system may report only here that it was not.
  func close() throws(FileStorage.Failure) {
    if Foundation.close(descriptor) < 0 && errno != EINTR { throw .last("close", path) }
  }

  /// Closes a file that nothing was written to, or that failed already.
  func closeQuietly() {
    _ = Foundation.close(descriptor)
  }
}
