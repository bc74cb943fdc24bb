package import Foundation

/// The lines that a program of this package wrote until a test killed it.
package struct KilledProgram: Sendable {
  /// A Boolean value that indicates whether only the signal ended the program.
  package let wasKilled: Bool
  private let lines: [String]

  /// Starts a program, kills it after enough lines, and reads all its lines.
  ///
  /// The call blocks its thread.
  ///
  /// - Parameters:
  ///   - program: The program, as returned by `builtProgram(named:)`.
  ///   - arguments: The arguments of the program.
  ///   - input: The file that the program reads, or `nil` if it reads the input of the tests.
  ///   - count: The number of lines before the kill.
  ///   - turns: The number of random numbers that are made between the last line and the kill, so
  ///     that the kill does not always follow a line.
  package init(
    _ program: URL, _ arguments: [String], reading input: URL? = nil, afterLines count: Int,
    andTurns turns: Int
  ) throws {
    let (process, output) = (Process(), Pipe())
    if let input { process.standardInput = try FileHandle(forReadingFrom: input) }
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    var told = Data()
    while told.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      told += more
    }
    var spinning = SeededGenerator(seed: 0)
    for _ in 0..<turns { _ = spinning.next() }
    let isSent = Foundation.kill(process.processIdentifier, SIGKILL) == 0
    told += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    wasKilled =
      isSent && process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    // An incomplete last line does not count.
    lines = String(decoding: told, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  /// The rests of the lines that begin with a word.
  package func lines(beginningWith word: String) -> [String] {
    lines.filter { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
  }
}
