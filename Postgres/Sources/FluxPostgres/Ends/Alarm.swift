import Foundation

/// An alarm that ends every wait of a thread, once and for all.
final class Alarm: Sendable {
  private let reader: Int32
  private let writer: Int32

  init() {
    var descriptors: [Int32] = [-1, -1]
    // Without a pipe, the descriptors are invalid, and a wait takes its whole time.
    _ = pipe(&descriptors)
    (reader, writer) = (descriptors[0], descriptors[1])
  }

  deinit {
    close(reader)
    close(writer)
  }

  /// Ends all waits, including later ones.
  func ring() {
    var byte: UInt8 = 1
    _ = write(writer, &byte, 1)
  }

  /// Waits for the alarm or for a socket that is readable.
  ///
  /// - Returns: A Boolean value that indicates whether there was a reason before the time ended.
  @discardableResult
  func wait(milliseconds: Int32, or socket: Int32 = -1) -> Bool {
    var descriptors = [
      pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&descriptors, 2, milliseconds) != 0
  }
}
