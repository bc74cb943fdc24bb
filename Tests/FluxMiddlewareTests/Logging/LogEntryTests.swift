import FluxCore
import FluxMiddleware
import Testing

@Suite("A log entry")
struct LogEntryTests {
  private struct Toggle: Action {
    let film: Int
  }

  private struct Say: Action, CustomStringConvertible {
    let description: String
  }

  private func entry(
    _ action: any Action = Toggle(film: 27), level: LogLevel = .info, took duration: Duration = .zero,
    from old: Set<Int> = [], to new: Set<Int> = []
  ) -> LogEntry {
    LogEntry(
      level: level, version: 12, action: action, duration: duration,
      difference: StateDifference(from: old, to: new))
  }

  @Test("a line contains the level, the version, the action, its changes, and the duration")
  func line() {
    let entry = entry(took: .microseconds(12), to: [27])
    #expect(entry.description == "info #12 Toggle(film: 27) + 27 (12 µs)")
  }

  @Test("an entry without a difference says that nothing changed")
  func nothing() {
    #expect(entry(took: .microseconds(12)).description == "info #12 Toggle(film: 27) changed nothing (12 µs)")
  }

  @Test("a line begins with the name of its level", arguments: LogLevel.allCases)
  func level(_ level: LogLevel) {
    #expect(entry(level: level).description.hasPrefix("\(level) #12 "))
  }

  @Test("levels have the names and the order of swift-log")
  func levels() {
    #expect(
      LogLevel.allCases.map(\.description)
        == ["trace", "debug", "info", "notice", "warning", "error", "critical"])
    #expect(LogLevel.allCases == LogLevel.allCases.shuffled().sorted())
  }

  @Test("line breaks and control characters of an action are escaped")
  func oneLine() {
    #expect(entry(Say(description: "a\nb\u{1B}[2J")).description.contains("#12 a\\nb\\u{1B}[2J changed"))
  }

  @Test("an action's description is shortened to 400 characters and an ellipsis")
  func longAction() {
    let whole = String(repeating: "é", count: 400)
    #expect(entry(Say(description: whole)).description.contains("#12 \(whole) changed"))
    #expect(entry(Say(description: whole + "x")).description.contains("#12 \(whole)… changed"))
  }

  @Test("a secret in the action is not shown, even where its description is cut")
  func secret() {
    struct SignIn: Action, CustomStringConvertible {
      let password = "swordfish"
      let name = String(repeating: "é", count: 400)
      var description: String { "\(password) of \(name)" }
    }
    let entry = LogEntry(
      level: .info, version: 12, action: SignIn(), duration: .zero,
      difference: StateDifference(from: 0, to: 0), redacting: .fields("password"))
    #expect(entry.description.hasPrefix("info #12 SignIn(password: •••, name: \"éé"))
    #expect(entry.description.hasSuffix("é… changed nothing (0 ns)"))
  }

  @Test(
    "a duration has three digits in the unit that fits",
    arguments: [
      (Duration.zero, "0 ns"),
      (.nanoseconds(1), "1 ns"),
      (Duration(secondsComponent: 0, attosecondsComponent: 500_000_000), "0.5 ns"),
      (.nanoseconds(999), "999 ns"),
      (.nanoseconds(1_000), "1 µs"),
      (.nanoseconds(1_234), "1.23 µs"),
      (.nanoseconds(9_996), "10 µs"),
      (.nanoseconds(12_300), "12.3 µs"),
      (.nanoseconds(12_040), "12 µs"),
      (.nanoseconds(99_960), "100 µs"),
      (.nanoseconds(123_456), "123 µs"),
      (.nanoseconds(999_400), "999 µs"),
      (.nanoseconds(999_600), "1 ms"),
      (.milliseconds(16), "16 ms"),
      (.microseconds(1_050), "1.05 ms"),
      (.milliseconds(1_500), "1.5 s"),
      (.seconds(75), "75 s"),
      (.seconds(86_400), "86400 s"),
      (.microseconds(-12), "-12 µs"),
    ])
  func duration(_ duration: Duration, _ text: String) {
    #expect(entry(took: duration).description == "info #12 Toggle(film: 27) changed nothing (\(text))")
  }

  @Test("the longest duration can be formatted")
  func longest() {
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    #expect(entry(took: longest).description.hasSuffix(" s)"))
  }
}
