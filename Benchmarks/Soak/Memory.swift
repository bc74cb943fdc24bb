import Foundation

/// The memory that is resident, in KiB, as Linux tells it.
func residentMemory() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { throw CocoaError(.fileReadCorruptFile) }
  return pages * sysconf(Int32(_SC_PAGESIZE)) / 1024
}

/// Whether memory has stopped growing: the median of the last quarter is at most that of the quarter before it, and
/// one twentieth more, or two MiB more if that is greater.
func flatness(of samples: [Int]) -> (isFlat: Bool, words: String) {
  let quarter = samples.count / 4
  guard quarter > 0 else { return (false, "There are too few samples: run it for longer.") }
  func median(_ part: ArraySlice<Int>) -> Int { part.sorted()[part.count / 2] }
  let before = median(samples.dropLast(quarter).suffix(quarter))
  let last = median(samples.suffix(quarter))
  let limit = before + max(before / 20, 2048)
  return (last <= limit, "Third quarter: \(before) KiB; last quarter: \(last) KiB, at most \(limit).")
}
