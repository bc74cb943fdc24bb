import FluxLog
import FluxPostgres
import Foundation

/// A process that appends entries to a log, together with other processes.
///
/// usage: LogProgram URL NAME WRITER COUNT
///
/// The program prints a line for each entry that the log has acknowledged.
@main
enum LogProgram {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let count = Int(arguments[4]) else {
      FileHandle.standardError.write(Data("usage: LogProgram URL NAME WRITER COUNT\n".utf8))
      exit(2)
    }
    let log = try await PostgresLog(arguments[1], name: arguments[2])
    var end = try await log.end()
    for number in 0..<count {
      let entry = Data("\(arguments[3]) \(number)".utf8)
      var isAppended = false
      while !isAppended {
        do throws(LogError) {
          end = try await log.append([entry], at: end)
          isAppended = true
        } catch {
          guard error.code == .conflict, let newEnd = error.position else { throw error }
          end = newEnd
        }
      }
      print(String(decoding: entry, as: UTF8.self))
    }
    await log.close()
  }
}
