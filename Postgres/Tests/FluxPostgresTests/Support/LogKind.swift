import FluxLog
import Foundation
import Testing

@testable import FluxPostgres

/// The logs that obey the rules of `ActionLog`.
enum LogKind: CaseIterable, CustomTestStringConvertible {
  case memory, files, postgres

  var testDescription: String { "\(self)" }

  /// A folder that is removed when the test program ends.
  private static let folder: URL = {
    _ = atexit { try? FileManager.default.removeItem(at: LogKind.folder) }
    return FileManager.default.temporaryDirectory.appending(path: "logs-\(UUID())")
  }()

  func make() async throws -> any ActionLog {
    switch self {
    case .memory: MemoryLog()
    case .files: try FileLog(in: Self.folder.appending(path: UUID().uuidString))
    case .postgres: try await PostgresLog.test()
    }
  }
}

extension PostgresLog {
  /// Opens a log, which by default has a new name.
  static func test(
    _ name: String = TestServer.uniqueName(), at url: String? = nil,
    limits: CallRules.Limits = CallRules.Limits(), patience: Int32 = 30_000, pause: Int32 = 15_000
  ) async throws -> PostgresLog {
    var source = LogSource(string: try url ?? TestServer.url(), name: try LogName(name))
    source.patience = patience
    source.pause = pause
    return try await PostgresLog(source, limits: limits)
  }
}

extension Data {
  init(_ text: String) {
    self.init(text.utf8)
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}

extension ActionLog {
  /// The entries from a position on, as text.
  func texts(from position: LogPosition = .start) async throws(LogError) -> [String] {
    try await entries(from: position).map(\.data.text)
  }

  /// Appends texts at the end.
  @discardableResult
  func append(_ texts: String...) async throws(LogError) -> LogPosition {
    try await append(texts.map { Data($0) }, at: await end())
  }

  /// Appends an entry at the end, after as many conflicts as there are.
  @discardableResult
  func appendAnywhere(_ text: String, expecting end: LogPosition = .start) async throws(LogError)
    -> LogPosition
  {
    var end = end
    while true {
      do throws(LogError) {
        return try await append([Data(text)], at: end)
      } catch {
        guard error.code == .conflict, let newEnd = error.position else { throw error }
        end = newEnd
      }
    }
  }
}

/// Returns the code of the error that a call throws, or `nil`.
func code(_ body: () async throws(LogError) -> Void) async -> LogError.Code? {
  do throws(LogError) { try await body() } catch { return error.code }
  return nil
}

/// Random numbers that repeat for the same seed: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
