package import Foundation

/// The reason why a regular file was not opened.
package enum OpenFailure: Error {
  /// The system refused to open the path.
  case refused(number: Int32)
  /// The path refers to a directory, a FIFO, a socket, a device, or a symbolic link that is not
  /// followed.
  case notRegular(number: Int32)
}

/// Opens a regular file, and returns its descriptor.
///
/// The function never waits for another process, although opening a FIFO normally waits until
/// another process opens it. If the flags contain `O_NOFOLLOW`, a symbolic link does not count
/// as a regular file.
package func openRegularFile(
  _ path: UnsafePointer<CChar>, _ flags: Int32, permissions: mode_t
) throws(OpenFailure) -> Int32 {
  let descriptor = retrying { open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, permissions) }
  guard descriptor >= 0 else {
    switch errno {
    // A socket, or a FIFO that has no reader, cannot be opened for writing.
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

/// Calls a function that makes a system call, and repeats the call each time a signal interrupts
/// it.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
