import Foundation
import Meter

// Soak MINUTES [--leak]: uses stores in every way for the given time. See Benchmarks/soak.
// With --leak, the program keeps some memory that it should free, to show that the test detects it.

/// The number of pauses in which no thread runs, including the end.
let parts = 20
/// The maximum growth of memory between a quarter of the time and the end, in KiB.
let growthLimit = 8192

let arguments = CommandLine.arguments.dropFirst()
guard let minutes = arguments.first.flatMap({ Double($0) }), minutes > 0 else {
  print("usage: Soak MINUTES [--leak]")
  exit(2)
}
let leaks = arguments.contains("--leak")
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("soak-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

keepLittleFreeMemory()
let soak = Soak(folder: folder)
let start = ContinuousClock.now
var quietPoints: [Memory] = []
var leaked: [Data] = []
try soak.run(for: .seconds(minutes * 60), parts: parts) {
  let busy = try residentMemory()
  quietPoints.append(try Memory.inUse())
  if leaks { leaked.append(Data(repeating: 1, count: 1 << 20)) }
  let seconds = Int(start.duration(to: .now) / .seconds(1))
  let line = "\(seconds) s: \(quietPoints[quietPoints.count - 1]), \(busy) KiB before\n"
  FileHandle.standardOutput.write(Data(line.utf8))
}
try FileManager.default.removeItem(at: folder)
for (what, count) in soak.findings.counts { print("\(what): \(count)") }
let growth = quietPoints[parts - 1].growth(since: quietPoints[parts / 4 - 1])
let isFlat = growth.allocated <= growthLimit && growth.resident <= growthLimit
print("From a quarter of the time to its end: \(growth); at most \(growthLimit) KiB each.")
for problem in soak.findings.problems { print("broken: \(problem)") }
if !isFlat { print("broken: memory grows") }
exit(isFlat && soak.findings.problems.isEmpty ? 0 : 1)
