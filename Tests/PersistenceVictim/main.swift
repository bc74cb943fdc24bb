import FluxCore
import FluxMiddleware
import Foundation

// A program that saves its state repeatedly until a test kills it. Its argument is the directory.
// It writes a line for each count that is on disk, and a line for each problem.

struct Tally: FluxState, Codable {
  var count = 0
  /// Titles of changing length, so that the files differ in size.
  var padding = ""
}

struct Increment: Action {}

func tell(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Writes the saved count after each save.
struct TellingStorage: StateStorage {
  let files: FileStorage

  func read(_ name: String) throws -> Data? { try files.read(name) }
  func write(_ data: Data, to name: String) throws { try files.write(data, to: name) }
  func synchronize(_ name: String) throws { try files.synchronize(name) }
  func names() throws -> [String] { try files.names() }

  func rename(_ name: String, to newName: String) throws {
    try files.rename(name, to: newName)
    guard newName == "state.json", let file = try files.read(newName) else { return }
    let body = file.drop { $0 != UInt8(ascii: "\n") }
    tell("saved \(try JSONDecoder().decode(Tally.self, from: body).count)")
  }
}

let directory = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let persistence = Persistence<Tally, Tally>(
  in: TellingStorage(files: FileStorage(directory: directory)), window: .microseconds(50),
  onProblem: { tell("problem \($0.code)") })
let store = Store(
  reducer: { (state: inout Tally, _: any Action) in
    state.count += 1
    state.padding = String(repeating: "x", count: state.count % 97 * 400)
  },
  plugins: [persistence.plugin], state: persistence.restored(Tally()))
tell("running")
while true { store.dispatch(Increment()) }
