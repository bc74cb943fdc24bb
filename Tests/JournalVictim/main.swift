import FluxCore
import FluxLog
import Foundation

// A program that dispatches actions until a test kills it, or until its reducer traps. Its
// arguments are the directory of the journal, the way in which it ends, and the number of the
// action whose reducer does not return. The reducer writes a line with the number of the action
// before it does anything else.

func tell(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

let directory = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let ending = CommandLine.arguments[2]
let last = CommandLine.arguments.count > 3 ? Int(CommandLine.arguments[3]) : nil
let store = try Store(
  reducer: { (account: inout Account, action: any Action) in
    tell("\(account.count + 1)")
    while account.count + 1 == last { pause() }
    accountReducer(&account, action)
  },
  plugins: [.journal(in: directory, capacity: 1 << 14, actions: accountActions)], state: Account())

func deposit(_ number: Int) {
  store.dispatch(Deposit(amount: number, note: String(repeating: "d", count: number % 31)))
}

switch ending {
case "trap":
  for number in 1...500 { deposit(number) }
  store.dispatch(Split(by: 0))
case "exit":
  for number in 1...5 { deposit(number) }
  exit(0)
default:
  // Two threads dispatch.
  Thread.detachNewThread { while true { deposit(1) } }
  while true { deposit(2) }
}
