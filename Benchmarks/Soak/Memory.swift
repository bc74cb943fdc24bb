import Foundation
import Meter

/// The memory of this process at one moment, in KiB.
struct Memory: CustomStringConvertible {
  /// What was asked for and has not been given back.
  let allocated: Int
  /// What the system has given.
  let resident: Int

  var description: String { "\(allocated) KiB allocated, \(resident) KiB resident" }

  /// What is in use, once free memory was given back to the system.
  ///
  /// The allocator keeps what is freed for the next one who asks: after a burst, resident memory tells of the burst, and
  /// not of what is in use.
  static func inUse() throws -> Memory {
    giveBackFreeMemory()
    return Memory(allocated: bytesTaken() / 1024, resident: try residentMemory())
  }

  func growth(since earlier: Memory) -> Memory {
    Memory(allocated: allocated - earlier.allocated, resident: resident - earlier.resident)
  }
}

/// The memory that is resident, in KiB, as Linux tells it.
func residentMemory() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { throw CocoaError(.fileReadCorruptFile) }
  return pages * sysconf(Int32(_SC_PAGESIZE)) / 1024
}
