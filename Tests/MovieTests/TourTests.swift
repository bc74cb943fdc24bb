import Foundation
import MovieBrowser
import Testing

@Suite("The tour")
struct TourTests {
  @Test("the output of the tour matches its recording, line by line")
  func output() async throws {
    let session = Session()
    var output = await session.start()
    for line in tour {
      output += ["", "> \(line)"]
      output += await session.type(line)
    }
    let file = Bundle.module.bundleURL.appendingPathComponent("Expected/tour.txt")
    let expected = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(output + [""] == expected)
  }

  @Test("the tour visits every command")
  func commands() throws {
    var verbs: Set<String> = ["list"]
    for line in tour { verbs.insert(String(line.prefix { $0 != " " })) }
    #expect(
      verbs == [
        "list", "next", "back", "open", "wish", "seen", "search", "lists", "undo", "redo", "help", "dance",
        "quit",
      ])
  }

  @Test("the tour ends with quit and not before")
  func end() async {
    let session = await Session.started()
    var wantsMore: [Bool] = []
    for line in tour { wantsMore.append(await session.browser.run(line)) }
    #expect(wantsMore == Array(repeating: true, count: tour.count - 1) + [false])
  }
}
