import Foundation

/// The memory that is resident, in KiB, as Linux tells it.
func residentMemory() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { throw CocoaError(.fileReadCorruptFile) }
  return pages * sysconf(Int32(_SC_PAGESIZE)) / 1024
}

/// How resident memory went: the medians of the third and of the last quarter, to be read beside each other.
func medians(of samples: [Int]) -> String {
  let quarter = samples.count / 4
  guard quarter > 0 else { return "too few." }
  func median(_ part: ArraySlice<Int>) -> Int { part.sorted()[part.count / 2] }
  let before = median(samples.dropLast(quarter).suffix(quarter))
  return "third quarter \(before) KiB, last quarter \(median(samples.suffix(quarter))) KiB."
}
