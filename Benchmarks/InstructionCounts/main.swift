// InstructionCounts WORKLOAD TIMES: does a workload so many times, to be counted from outside.
let arguments = CommandLine.arguments
if arguments.count == 3, let workload = workloads[arguments[1]], let times = Int(arguments[2]) {
  workload(times)
} else {
  print("usage: InstructionCounts WORKLOAD TIMES, with one of:")
  for name in workloads.keys.sorted() { print("  \(name)") }
}
