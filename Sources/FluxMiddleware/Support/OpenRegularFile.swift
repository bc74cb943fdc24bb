import Foundation

/// The reason why a regular file was not opened.
enum OpenFailure: Error {
  /// The system refused to open the path.
  case refused(number: Int32)
  /// The path leads to a directory, a FIFO, a socket, or a device, or to a symbolic link that
  /// is not followed.
  case notRegular(number: Int32)
}

/// Opens a regular file, and returns its descriptor.
///
/// The call never waits for another process. (Opening a FIFO can wait until another process
/// opens it.) If the flags contain `O_NOFOLLOW`, a symbolic link does not count as a regular
/// file.
func openRegularFile(
  _ path: UnsafePointer<CChar>, _ flags: Int32, permissions: mode_t
) throws(OpenFailure) -> Int32 {
  let descriptor = retrying { open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, permissions) }
  guard descriptor >= 0 else {
    switch errno {
    // A FIFO without a reader, or a socket, cannot be opened for writing.
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

/// Repeats a system call while signals interrupt it.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
