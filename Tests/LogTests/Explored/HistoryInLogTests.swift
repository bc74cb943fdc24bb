import FluxMiddleware
import TestSupport
import Testing

@Suite("The history that a log contains", .unlessItHangs)
struct HistoryInLogTests {
  typealias Event = HistoryInLogModel.Event

  /// The settings of a history.
  enum Setting: CaseIterable, Sendable {
    case unlimited, two, twoKeepingEverySecond, undoneWithEntry, twoUnrecorded

    @Sendable func make() -> History<Canvas> {
      switch self {
      case .unlimited: Canvas.makeHistory()
      case .two: Canvas.makeHistory(limit: 2)
      case .twoKeepingEverySecond: Canvas.makeHistory(limit: 2, keepingEvery: 2)
      case .undoneWithEntry: Canvas.makeHistory(limit: 2, unrecorded: .undoneWithEntry)
      case .twoUnrecorded: Canvas.makeHistory(limit: 3, unrecorded: .preserved(limit: 2))
      }
    }
  }

  private static let all: [Event] = [
    .draw, .receive, .hover, .undo, .redo, .jump(to: 0), .jump(to: 1), .jumpToBranch, .skip, .unskip,
    .commit, .rollback, .reset, .pause, .resume, .lock, .unlock, .restart, .compact,
  ]
  private static let branching: [Event] = [
    .draw, .receive, .undo, .jump(to: 1), .jumpToBranch, .compact,
  ]

  private func walk(
    _ setting: Setting, _ beginning: [Event], _ events: [Event], _ length: Int,
    with mistake: HistoryInLogModel.Mistake? = nil
  ) -> EventWalk<HistoryInLogModel> {
    EventWalk(
      HistoryInLogModel(mistake, setting.make), beginning: beginning, events: events, length: length)
  }

  @Test(
    "after every sequence of commands, the program and its log have the history of a program that never ended",
    arguments: Setting.allCases)
  func everySequence(_ setting: Setting) {
    let short = walk(setting, [], Self.all, 3)
    let long = walk(setting, [.draw, .draw, .draw], Self.all, 3)
    let branches = walk(setting, [.draw, .draw], Self.branching, 5)
    printStatistics("history in a log: \([short, long, branches].map(\.orders)) sequences")
    for walk in [short, long, branches] { #expect(walk.finding == nil) }
    #expect(short.orders > 1_000 && long.orders > 2_000 && branches.orders > 3_000)
  }

  @Test("the walk finds each planted mistake", arguments: HistoryInLogModel.Mistake.allCases)
  func planted(_ mistake: HistoryInLogModel.Mistake) {
    let found = Setting.allCases.contains { setting in
      [[], [.draw, .draw, .draw], [.draw, .draw, .undo, .receive], [.draw, .draw, .jump(to: 1), .draw]]
        .contains { walk(setting, $0, Self.all, 2, with: mistake).finding != nil }
    }
    #expect(found)
  }
}
