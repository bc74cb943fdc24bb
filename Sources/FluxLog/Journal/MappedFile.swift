import FluxMiddleware
import Foundation
import Synchronization

/// A file of fixed size whose contents are in memory.
///
/// This is the only unsafe code of the journal. The system writes the memory to the file, even if
/// the program is killed. The space of the file is allocated in advance, so that a full disk cannot
/// stop the program at a later store.
///
/// - Important: One thread at a time can write, and the caller must stay within the file.
//
// The compiler cannot check that the memory is sent safely, because a raw pointer is not Sendable.
// The lock of `Journal` separates the writes, the pointer never changes, and nothing uses the
// memory after the object is released.
final class MappedFile: JournalMemory, @unchecked Sendable {
  private let start: UnsafeMutableRawPointer
  private let count: Int

  /// Creates a file that contains only zeros, and replaces any file at the path.
  init(creating path: String, count: Int) throws(FileStorage.Failure) {
    _ = unlink(path)
    let descriptor: Int32
    do throws(OpenFailure) {
      descriptor = try openRegularFile(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: 0o600)
    } catch {
      let number =
        switch error {
        case .refused(let number), .notRegular(let number): number
        }
      throw FileStorage.Failure(operation: "create", path: path, number: number)
    }
    // The mapping keeps the file open.
    defer { close(descriptor) }
    let problem = Self.allocate(count, of: descriptor)
    guard problem == 0 else {
      _ = unlink(path)
      throw FileStorage.Failure(operation: "allocate", path: path, number: problem)
    }
    let mapped = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != UnsafeMutableRawPointer(bitPattern: -1) else {
      let number = errno
      _ = unlink(path)
      throw FileStorage.Failure(operation: "map", path: path, number: number)
    }
    start = mapped
    self.count = count
  }

  deinit {
    munmap(start, count)
  }

  /// Allocates the space of a file, and returns 0 or an error number.
  private static func allocate(_ count: Int, of descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      var request = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: off_t(count),
        fst_bytesalloc: 0)
      guard fcntl(descriptor, F_PREALLOCATE, &request) >= 0, ftruncate(descriptor, off_t(count)) == 0 else {
        return errno
      }
      return 0
    #else
      while true {
        let number = posix_fallocate(descriptor, 0, off_t(count))
        if number != EINTR { return number }
      }
    #endif
  }

  @inline(__always)
  func store(_ word: UInt64, at offset: Int) {
    start.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  func publish(_ word: UInt64, at offset: Int) {
    // Neither the compiler nor the processor moves earlier stores after the fence.
    atomicMemoryFence(ordering: .releasing)
    store(word, at: offset)
  }

  @inline(__always)
  func copy(_ bytes: Data, to offset: Int, adding checksum: inout JournalChecksum) {
    var sum = checksum
    bytes.withUnsafeBytes { bytes in
      guard var source = bytes.baseAddress else { return }
      var target = start + offset
      let end = source + (bytes.count & ~7)
      while source < end {
        let word = source.loadUnaligned(as: UInt64.self)
        sum.add(UInt64(littleEndian: word))
        target.storeBytes(of: word, as: UInt64.self)
        source += 8
        target += 8
      }
      let rest = bytes.count & 7
      guard rest > 0 else { return }
      var last: UInt64 = 0
      for index in 0..<rest {
        last |= UInt64(source.load(fromByteOffset: index, as: UInt8.self)) &<< UInt64(8 &* index)
      }
      sum.add(last)
      target.storeBytes(of: last.littleEndian, as: UInt64.self)
    }
    checksum = sum
  }
}
