import Foundation
import Meter
import Workloads

// Driver list: prints all workloads as JSON.
// Driver NAME: runs a workload. Valgrind counts instructions, and the driver prints other units.
let arguments = CommandLine.arguments
let workloads = workloadGroups.flatMap(\.workloads)
if arguments.count == 2, arguments[1] == "list" {
  print(String(decoding: try JSONEncoder().encode(workloadGroups.flatMap(Listed.all)), as: UTF8.self))
} else if arguments.count == 2, let workload = workloads.first(where: { $0.name == arguments[1] }) {
  measure(workload)
} else {
  print("usage: Driver list | Driver NAME")
  exit(2)
}

/// The description of a workload in the list.
struct Listed: Encodable {
  let group, name, title, unit: String
  let floor: String?
  let turns: Int
  let runs: Int

  static func all(_ group: WorkloadGroup) -> [Listed] {
    group.workloads.map {
      Listed(
        group: group.title, name: $0.name, title: $0.title, unit: $0.unit.rawValue, floor: $0.floor,
        turns: $0.turns, runs: $0.runs)
    }
  }
}

func measure(_ workload: Workload) {
  let turns = workload.setUp()
  // Operations that happen only once, such as the creation of metadata, are not part of a turn.
  turns(min(10, workload.turns))
  switch workload.unit {
  case .instructions:
    startCounting()
    turns(workload.turns)
    stopCounting()
  case .bytes:
    let before = bytesTaken()
    turns(workload.turns)
    print(Double(bytesTaken() - before) / Double(workload.turns))
  case .nanoseconds:
    let taken = ContinuousClock().measure { turns(workload.turns) }
    print(Double(taken / .nanoseconds(1)) / Double(workload.turns))
  }
}
