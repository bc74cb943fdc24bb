public import Foundation

/// A storage that keeps its files in a directory.
///
/// Before ``write(_:to:)`` returns, it synchronizes the file with the disk (`fsync`). Before
/// ``rename(_:to:)`` returns, it synchronizes the directory with the disk. On Apple platforms,
/// both methods also flush the disk cache (`F_FULLFSYNC`). The first write creates the directory.
/// If the directory is removed, a later write creates it again. Only the owner of the files can
/// read them, because a state can contain private data.
///
/// The storage opens only regular files, and never waits for another process. An operation on a
/// FIFO, a socket, a device, or a directory throws an error. A read follows a symbolic link to a
/// regular file, and throws an error if the target of the link does not exist. A write never
/// follows a symbolic link. If a file of a ``Persistence`` object is a symbolic link, the
/// `Persistence` object loads the target of the link. The next save renames the link like any
/// other file, and replaces it with a regular file. The target of the link is never changed.
///
/// Do not save under the same name in two processes at the same time, because each process can
/// overwrite the files that the other process saved. Every operation blocks the calling thread.
/// You can call the operations from any thread.
public struct FileStorage: StateStorage {
  /// An error that describes a failed file operation.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation that failed, such as `open`, `write`, or `rename`.
    ///
    /// The operation `open as a regular file` means that the path does not refer to a regular
    /// file, but, for example, to a FIFO.
    public let operation: String
    /// The path on which the operation failed.
    public let path: String
    /// The system error number, such as `ENOSPC` or `EROFS`.
    public let number: Int32

    /// Creates a failure of an operation.
    public init(operation: String, path: String, number: Int32) {
      self.operation = operation
      self.path = path
      self.number = number
    }

    /// A description with the operation, the path, and the system's message.
    public var description: String {
      "\(operation) \(path): \(String(cString: strerror(number))) (\(number))"
    }

    static func last(_ operation: String, _ path: String) -> Failure {
      Failure(operation: operation, path: path, number: errno)
    }
  }

  /// The directory that contains the files.
  public let directory: URL

  /// Creates a storage for a directory, which does not have to exist yet.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Returns the contents of a file, or `nil` if there is no file with that name.
  ///
  /// - Throws: ``Failure``.
  public func read(_ name: String) throws -> Data? {
    let path = try path(of: name)
    guard let file = try openIfPresent(path) else { return nil }
    defer { file.closeQuietly() }
    return try file.readAll()
  }

  /// Writes a file, and waits until the file is on disk.
  ///
  /// If a file cannot be written completely, it is removed, so that it does not occupy space on
  /// a full disk.
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
      // Only the first error is thrown. If the file cannot be removed, its header still shows
      // that the file is incomplete.
      _ = unlink(path)
      throw error
    }
    try file.close()
  }

  /// Renames a file, and waits until the new name is on disk.
  ///
  /// - Throws: ``Failure``.
  public func rename(_ name: String, to newName: String) throws {
    let (old, new) = (try path(of: name), try path(of: newName))
    guard Foundation.rename(old, new) == 0 else { throw Failure.last("rename", old) }
    try synchronizeDirectory(directory.path)
  }

  /// Appends bytes to an existing file, and waits until the bytes are on disk.
  ///
  /// An interrupted call can leave some of the bytes in the file.
  ///
  /// - Throws: ``Failure``.
  package func append(_ data: Data, to name: String) throws {
    let file = try OpenFile(try path(of: name), O_WRONLY | O_APPEND | O_NOFOLLOW)
    do {
      try file.write(data)
      try file.synchronize()
    } catch {
      file.closeQuietly()
      throw error
    }
    try file.close()
  }

  /// Removes a file.
  ///
  /// When the method returns, a power loss cannot restore the file.
  ///
  /// - Throws: ``Failure``.
  package func remove(_ name: String) throws {
    let path = try path(of: name)
    guard unlink(path) == 0 else { throw Failure.last("remove", path) }
    try synchronizeDirectory(directory.path)
  }

  /// Waits until a file and the names in the directory are on disk.
  ///
  /// If the file system is read-only, the method returns without waiting.
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

  /// Returns the names of the entries in the directory, or an empty array if there is no
  /// directory.
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
      // Only `errno` distinguishes the end of the directory from an error.
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { names.append(name) }
    }
    if errno != 0 { throw Failure.last("list", path) }
    return names
  }

  /// Returns the path of a file.
  ///
  /// A name that refers to a path outside the directory is not valid.
  private func path(of name: String) throws(Failure) -> String {
    guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(where: { $0 == 0 || $0 == 0x2F })
    else {
      throw Failure(operation: "name", path: name, number: EINVAL)
    }
    return directory.appendingPathComponent(name, isDirectory: false).path
  }

  /// Opens a file for reading, or returns `nil` if there is neither a file nor a symbolic link
  /// with that name.
  private func openIfPresent(_ path: String) throws(Failure) -> OpenFile? {
    do throws(Failure) {
      return try OpenFile(path, O_RDONLY)
    } catch {
      var status = stat()
      guard error.number == ENOENT, lstat(path, &status) != 0 else { throw error }
      return nil
    }
  }

  /// Opens a file for writing, and creates the directory if it does not exist.
  private func create(_ path: String) throws(Failure) -> OpenFile {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
    do {
      return try OpenFile(path, flags)
    } catch  where error.number == ENOENT {
      try makeDirectory(directory.standardizedFileURL)
      return try OpenFile(path, flags)
    }
  }

  /// Creates a directory and its missing parents, and makes each new directory safe from a
  /// power loss.
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

/// An open file, with its path and its file descriptor.
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
    // Not every file system supports `F_FULLFSYNC`.
    #endif
    if retrying({ fsync(descriptor) }) < 0 { throw .last("synchronize", path) }
  }

  /// Closes a file to which data was written.
  ///
  /// A network file system might not report a failed write until the file is closed.
  func close() throws(FileStorage.Failure) {
    if Foundation.close(descriptor) < 0 && errno != EINTR { throw .last("close", path) }
  }

  /// Closes a file to which no data was written, or for which another operation has already
  /// failed.
  func closeQuietly() {
    _ = Foundation.close(descriptor)
  }
}
