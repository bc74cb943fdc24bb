import Foundation
import Meter

// Soak MINUTES [--leak]: uses stores in every way for so long; see Benchmarks/soak.
// With --leak it keeps a little of what it should let go of, to show that this is seen.

let arguments = CommandLine.arguments.dropFirst()
guard let minutes = arguments.first.flatMap({ Double($0) }), minutes > 0 else {
  print("usage: Soak MINUTES [--leak]")
  exit(2)
}
let leaks = arguments.contains("--leak")
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("soak-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

let soak = Soak(folder: folder)
let (start, length) = (ContinuousClock.now, Duration.seconds(minutes * 60))
var samples: [Int] = []
var leaked: [Data] = []
try soak.run(until: start + length, sampleEvery: min(.seconds(2), length / 40)) {
  samples.append(try residentMemory())
  if leaks { leaked.append(Data(repeating: 1, count: 1 << 20)) }
  if samples.count.isMultiple(of: 10) {
    let line = "\(start.duration(to: .now)): \(samples[samples.count - 1]) KiB\n"
    FileHandle.standardOutput.write(Data(line.utf8))
  }
}
try FileManager.default.removeItem(at: folder)
for (what, count) in soak.findings.counts { print("\(what): \(count)") }
let allocated = bytesTaken() / 1024
let isFlat = allocated <= 8192
print("Allocated once all is quiet: \(allocated) KiB, at most 8192.")
print("Resident, \(samples.count) samples: \(medians(of: samples))")
for problem in soak.findings.problems { print("broken: \(problem)") }
if !isFlat { print("broken: memory grows") }
exit(isFlat && soak.findings.problems.isEmpty ? 0 : 1)
