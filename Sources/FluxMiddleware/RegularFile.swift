import Foundation

/// Why a regular file was not opened.
enum OpenFailure: Error {
  /// The system refused to open the path.
  case refused(number: Int32)
  /// The path names something else: a directory, a FIFO, a socket, a device, or a symbolic link where none is
  /// followed.
  case notRegular(number: Int32)
}

/// Opens a regular file, and returns its descriptor.
///
/// The call never waits for another process, as opening a FIFO does that no process has open. With
/// `O_NOFOLLOW` among the flags, a symbolic link is no regular file.
func openRegularFile(
  _ path: UnsafePointer<CChar>, _ flags: Int32, permissions: mode_t
) throws(OpenFailure) -> Int32 {
  let descriptor = retrying { open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, permissions) }
  guard descriptor >= 0 else {
    switch errno {
    // A FIFO without a reader and a socket cannot be opened for writing.
    case ENXIO: throw .notRegular(number: EINVAL)
    case ELOOP where flags & O_NOFOLLOW != 0: throw .notRegular(number: ELOOP)
    case let number: throw .refused(number: number)
    }
  }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else {
    let number = errno
    close(descriptor)
    throw .refused(number: number)
  }
  let type = status.st_mode & S_IFMT
  guard type == S_IFREG else {
    close(descriptor)
    throw .notRegular(number: type == S_IFDIR ? EISDIR : EINVAL)
  }
  return descriptor
}

/// Calls the system again for as long as a signal interrupts it.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
