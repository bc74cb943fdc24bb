import Flux
import FluxTesting
import MovieBrowser
import SampleTerminalViews
import TestSupport
import Testing

@Suite("Finding films while typing", .unlessItHangs)
struct FindTests {
  private let clock = ManualClock()

  /// A session in which all films are loaded and the user has opened the search.
  private func finding() async -> Session {
    let session = Session(clock: clock)
    await session.type("search dream")
    await session.type("find")
    session.forget()
    return session
  }

  /// Presses keys, and waits until the search is scheduled.
  @discardableResult
  private func type(_ text: String, in session: Session) async -> DispatchTask? {
    var last: DispatchTask?
    for character in text { last = session.browser.press(.character(character)) }
    await clock.sleepers(atLeast: 1)
    return last
  }

  @Test("each key immediately shows the new text, and the films shortly after the last key")
  func debounced() async {
    let session = await finding()
    let last = await type("méliès", in: session)
    #expect(
      session.drawn() == ["find: m", "find: mé", "find: mél", "find: méli", "find: méliè", "find: méliès"])
    clock.advance(by: .milliseconds(199))
    #expect(clock.sleepers == 1)
    clock.advance(by: .milliseconds(1))
    await last?.finished()
    #expect(session.drawn() == ["find: méliès\n   1  A Trip to the Moon (1902)"])
    #expect(session.actions().filter { $0.hasPrefix("FilmsFound") }.count == 1)
    #expect(session.lines().isEmpty)
  }

  @Test("a key that arrives in time postpones the search, and only the newest text is searched for")
  func latest() async {
    let session = await finding()
    await type("mélièz", in: session)
    clock.advance(by: .milliseconds(150))
    session.browser.press(.backspace)
    let last = await type("s", in: session)
    clock.advance(by: .milliseconds(150))
    #expect(clock.sleepers == 1)
    clock.advance(by: .milliseconds(50))
    await last?.finished()
    #expect(session.drawn().last == "find: méliès\n   1  A Trip to the Moon (1902)")
    #expect(
      session.actions().filter { $0.hasPrefix("FilmsFound") } == [#"FilmsFound(text: "méliès", films: [1])"#])
  }

  @Test("the best matches come first, and the others are counted")
  func best() async {
    let session = await finding()
    let last = await type("the", in: session)
    clock.advance(by: .milliseconds(200))
    await last?.finished()
    let lines = session.drawn().last?.split(separator: "\n").map(String.init) ?? []
    #expect(lines.count == 10)
    #expect(lines.dropFirst().prefix(8).allSatisfy { $0.dropFirst(6).hasPrefix("The ") }, "\(lines)")
    #expect(lines.last?.hasSuffix(" more; Enter shows them all") == true)
  }

  @Test("without matches the panel says so, and without a text it explains what to do")
  func nothing() async {
    let session = await finding()
    let last = await type("zyzzyva", in: session)
    clock.advance(by: .milliseconds(200))
    await last?.finished()
    #expect(session.drawn().last == "find: zyzzyva\n  nothing found")
    session.browser.press(.control("u"))
    #expect(session.drawn().last == "find: \n  Type what to find. Enter shows it all, Esc leaves.")
  }

  @Test("Enter leaves and shows all matches without waiting for the search")
  func enter() async {
    let session = await finding()
    await type("kurosawa", in: session)
    await session.browser.press(.enter).finished()
    #expect(!session.browser.isFinding)
    #expect(session.lines().first == "Found 3 for \"kurosawa\"")
    #expect(session.drawn().last?.isEmpty == true)
    #expect(clock.sleepers == 0)
    #expect(!session.actions().contains { $0.hasPrefix("FilmsFound") })
  }

  @Test(
    "Esc leaves and shows nothing, and so does Enter without a text",
    arguments: [Key.escape, .enter])
  func leaves(key: Key) async {
    let session = await finding()
    await session.browser.press(key).finished()
    #expect(!session.browser.isFinding)
    #expect(session.lines().isEmpty)
    #expect(session.drawn() == [""])
  }

  @Test("films are found while others are loaded, and more are found when those arrive")
  func whileLoading() async {
    let service = ScriptedService([3: [.hold]])
    let session = await Session.started(service)
    let find = session.browser.begin("find")
    await service.asked(for: 3)
    await session.browser.press(.character("2")).finished()
    #expect(
      session.drawn().last == "find: 2\n   2  Film 2 (1902)\n  loading page 3 of 3 … ")
    await session.browser.press(.backspace).finished()
    await session.browser.press(.character("f")).finished()
    service.release()
    await find?.finished()
    #expect(
      session.drawn().last == "find: f\n"
        + (1...6).map { "   \($0)  Film \($0) (190\($0))" }.joined(separator: "\n"))
  }

  @Test("leaving stops the load")
  func stops() async {
    let service = ScriptedService([2: [.hold]])
    let session = await Session.started(service)
    let find = session.browser.begin("find")
    await service.asked(for: 2)
    await session.browser.press(.escape).finished()
    await find?.finished()
    #expect(service.cancelled == [2])
    #expect(session.drawn().last?.isEmpty == true)
  }

  @Test("if not all films could be loaded, a line below the matches says so")
  func trouble() async {
    let service = ScriptedService([3: [.fail(MovieServiceError(.missing, "There is no page 3."))]])
    let session = await Session.started(service)
    await session.type("find")
    await session.browser.press(.character("4")).finished()
    #expect(session.drawn().last == "find: 4\n   4  Film 4 (1904)\n! There is no page 3.")
  }
}
