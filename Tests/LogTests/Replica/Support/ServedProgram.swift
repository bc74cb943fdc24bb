import FluxCore
import FluxLog
import Foundation
import TestSupport

/// A client in a program that a test kills, and whose server is in the process of the test.
///
/// The program writes its calls to its output, and reads the answers from its input.
struct ServedProgram {
  private struct Call: Decodable {
    var id: Int
    var push: PushedActions?
    var entriesFrom: LogPosition?
    var snapshotFor: ClientID?
  }

  private struct Answer: Encodable {
    var id: Int
    var received: UInt64?
    var entries: [ReplicaEntry]?
    var snapshot: ReplicaSnapshot?
    var isTruncated = false
  }

  /// A Boolean value that indicates whether only the signal ended the program.
  let wasKilled: Bool
  /// The lines that are not calls.
  let lines: [String]

  /// Starts a program, answers its calls, and kills it after enough lines.
  ///
  /// When the initializer returns, the server has handled every call.
  init(
    _ program: URL, _ arguments: [String], with server: any ReplicaTransport, afterLines count: Int,
    andTurns turns: Int
  ) async throws {
    // The program can end while the server writes an answer.
    signal(SIGPIPE, SIG_IGN)
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let writer = Locked(input.fileHandleForWriting)
    let answer: @Sendable (Answer) -> Void = { answer in
      guard let line = try? JSONEncoder().encode(answer) else { return }
      writer.withLock { try? $0.write(contentsOf: line + Data("\n".utf8)) }
    }
    let (calls, call) = AsyncStream<Call>.makeStream()
    let answering = Task {
      await withDiscardingTaskGroup { group in
        for await call in calls { group.addTask { await Self.handle(call, server, answer) } }
        group.cancelAll()
      }
    }
    let identifier = process.processIdentifier
    (lines, wasKilled) = await resultOfThread {
      var (text, told, isKilled) = (Data(), [String](), false)
      while true {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        text += more
        while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: text[..<end], as: UTF8.self)
          text = text[(end + 1)...]
          if line.hasPrefix("call ") {
            if let decoded = try? JSONDecoder().decode(Call.self, from: Data(line.dropFirst(5).utf8)) {
              call.yield(decoded)
            }
          } else {
            told.append(line)
          }
        }
        if told.count >= count, !isKilled {
          var spinning = SeededGenerator(seed: 0)
          for _ in 0..<turns { _ = spinning.next() }
          isKilled = kill(identifier, SIGKILL) == 0
        }
      }
      return (told, isKilled)
    }
    process.waitUntilExit()
    call.finish()
    await answering.value
  }

  private static func handle(
    _ call: Call, _ server: any ReplicaTransport, _ answer: @Sendable (Answer) -> Void
  ) async {
    do {
      if let actions = call.push { answer(Answer(id: call.id, received: try await server.push(actions))) }
      if let client = call.snapshotFor {
        answer(Answer(id: call.id, snapshot: try await server.snapshot(for: client)))
      }
      if let position = call.entriesFrom {
        for try await entries in server.entries(from: position) {
          answer(Answer(id: call.id, entries: entries))
        }
      }
    } catch let error as LogError where error.code == .truncated {
      answer(Answer(id: call.id, isTruncated: true))
    } catch {
      // A canceled sequence of entries ends without an answer.
    }
  }

  /// The numbers of the lines that begin with a word.
  func numbers(after word: String) -> [Int] {
    lines.compactMap { $0.hasPrefix(word + " ") ? Int($0.dropFirst(word.count + 1)) : nil }
  }
}
