import Flux
package import Foundation

/// A storage that stores each segment as a file of a folder: `journal-1`, `journal-2`, and so on.
package struct JournalFolder: JournalStorage {
  /// An operation that the operating system refused.
  package struct Failure: Error, CustomStringConvertible {
    let operation: String
    let path: String
    let number = errno

    package var description: String { "\(operation) \(path): \(String(cString: strerror(number)))" }
  }

  /// An error that indicates that a path does not refer to a regular file.
  package struct NotAFile: Error, CustomStringConvertible {
    let path: String

    package var description: String { "\(path) is not a regular file." }
  }

  private static let prefix = "journal-"
  private let folder: URL

  /// Creates a storage for the segments in a folder, which must exist.
  package init(_ folder: URL) {
    self.folder = folder
  }

  /// Creates a folder and its missing parents, which a power loss cannot remove after the method
  /// returns.
  package static func make(_ folder: URL) throws {
    let folder = folder.standardizedFileURL
    if FileManager.default.fileExists(atPath: folder.path) { return }
    let parent = folder.deletingLastPathComponent()
    try make(parent)
    guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else {
      throw Failure(operation: "make", path: folder.path)
    }
    try JournalFolder(parent).synchronizeFolder()
  }

  package func segments() throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { name in
      name.hasPrefix(Self.prefix) ? Int(name.dropFirst(Self.prefix.count)) : nil
    }
  }

  package func read(_ segment: Int) throws -> Data {
    let name = "\(Self.prefix)\(segment)"
    guard let data = try FileStorage(directory: folder).read(name) else {
      throw NotAFile(path: path(of: segment))
    }
    return data
  }

  package func append(_ bytes: Data, to segment: Int) throws {
    let path = path(of: segment)
    let file = try Self.open(path, O_WRONLY | O_APPEND | O_CREAT)
    defer { close(file) }
    let isNew = lseek(file, 0, SEEK_END) == 0
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(operation: "write", path: path) }
      rest = rest.dropFirst(count)
    }
    try synchronize(file, path)
    if isNew { try synchronizeFolder() }
  }

  /// Writes a new file, which then replaces the segment.
  ///
  /// After a failed `fsync`, the system might treat unwritten data as written, and report no
  /// further error. A read can then return data that is not on disk. A second `fsync` of the same
  /// file does not write that data.
  package func replace(_ segment: Int, with bytes: Data) throws {
    let files = FileStorage(directory: folder)
    let name = "\(Self.prefix)\(segment)"
    try files.write(bytes, to: "\(name).partial")
    try files.rename("\(name).partial", to: name)
  }

  package func remove(_ segment: Int) throws {
    let path = path(of: segment)
    guard unlink(path) == 0 else { throw Failure(operation: "remove", path: path) }
  }

  /// Opens a regular file, and returns its descriptor, without waiting for another process.
  static func open(_ path: String, _ flags: Int32) throws -> Int32 {
    let file = Foundation.open(path, flags | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o600)
    // A FIFO without a reading process cannot be opened, and neither can a symbolic link.
    if file < 0, errno == ENXIO || errno == ELOOP { throw NotAFile(path: path) }
    guard file >= 0 else { throw Failure(operation: "open", path: path) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw NotAFile(path: path)
    }
    return file
  }

  private func path(of segment: Int) -> String {
    folder.appending(path: "\(Self.prefix)\(segment)").path
  }

  /// Synchronizes the names of the files to disk.
  private func synchronizeFolder() throws {
    let file = Foundation.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw Failure(operation: "open", path: folder.path) }
    defer { close(file) }
    try synchronize(file, folder.path)
  }

  private func synchronize(_ file: Int32, _ path: String) throws {
    #if canImport(Darwin)
      if fcntl(file, F_FULLFSYNC) >= 0 { return }
    // Not every file system supports `F_FULLFSYNC`.
    #endif
    guard fsync(file) == 0 else { throw Failure(operation: "synchronize", path: path) }
  }
}
