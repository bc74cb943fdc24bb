import Foundation
import Fuzzing

// Passes bad input to every reader, for the given number of inputs: see Benchmarks/fuzz.
//
// FuzzProgram COUNT [SEED [TARGET [FROM]]]

let arguments = CommandLine.arguments.dropFirst()
guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else {
  print("usage: FuzzProgram COUNT [SEED [TARGET [FROM]]]")
  exit(2)
}
let given = Array(arguments.dropFirst())
let seed = given.first.flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
let targets = FuzzTarget.all.filter { given.count < 2 || $0.name == given[1] }
let start = given.count < 3 ? 0 : Int(given[2]) ?? 0
/// The number of inputs between two reports.
let chunk = 100_000

func tell(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

tell("seed \(seed)")
for target in targets {
  let (clock, end) = (ContinuousClock(), start + count)
  let began = clock.now
  var verdicts: [FuzzTarget.Verdict: Int] = [:]
  for first in stride(from: start, to: end, by: chunk) {
    // If the program crashes, this line identifies the input.
    if first > start { tell("  \(target.name): up to \(first)") }
    do {
      let more = try await target.run(min(chunk, end - first), seed: seed, from: first)
      verdicts.merge(more, uniquingKeysWith: +)
    } catch {
      tell("\(error)")
      exit(1)
    }
  }
  tell("\(target.name): \(count) inputs in \(began.duration(to: clock.now))")
  for (verdict, count) in verdicts.sorted(by: { $0.value > $1.value }) { tell("  \(verdict): \(count)") }
}
