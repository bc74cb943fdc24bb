import FluxLog
import Testing

@testable import FluxPostgres

@Suite("Names of logs")
struct LogNameTests {
  @Test(
    "a name of letters, digits, and underscores is valid",
    arguments: ["a", "board", "board_2", "z9_", String(repeating: "a", count: 40)])
  func valid(name: String) throws {
    #expect(try LogName(name).entries == "\"flux_log_\(name)\"")
  }

  @Test(
    "every other name is refused, and the error contains it",
    arguments: [
      "", "_a", "9a", "Board", "bo ard", "a-b", "a.b", "a\"; DROP TABLE flux_logs; --", "a\u{0}b", "ä",
      "a\u{301}", "日本", "a\n", "$1", String(repeating: "a", count: 41),
    ])
  func invalid(name: String) {
    let error = #expect(throws: LogError.self) { try LogName(name) }
    #expect(error?.code == .unreadable)
    #expect(error?.message.contains("\"\(name)\"") == true)
  }
}
