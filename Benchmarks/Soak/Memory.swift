import Foundation
import Meter

/// The memory of this process at one time, in KiB.
struct Memory: CustomStringConvertible {
  /// The allocated memory that has not been freed.
  let allocated: Int
  /// The memory that the system has assigned to the process.
  let resident: Int

  var description: String { "\(allocated) KiB allocated, \(resident) KiB resident" }

  /// Returns the memory in use after free memory was returned to the system.
  ///
  /// The allocator keeps freed memory for later allocations. After a burst, resident memory
  /// therefore shows the peak of the burst, and not the memory in use.
  static func inUse() throws -> Memory {
    giveBackFreeMemory()
    return Memory(allocated: bytesTaken() / 1024, resident: try residentMemory())
  }

  func growth(since earlier: Memory) -> Memory {
    Memory(allocated: allocated - earlier.allocated, resident: resident - earlier.resident)
  }
}

/// Returns the resident memory in KiB, as reported by Linux.
func residentMemory() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { throw CocoaError(.fileReadCorruptFile) }
  return pages * sysconf(Int32(_SC_PAGESIZE)) / 1024
}
