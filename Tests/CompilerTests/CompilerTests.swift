import Foundation
import TestSupport
import Testing

@Suite("Diagnostics of the compiler")
struct CompilerTests {
  @Test("code that could cause a data race does not compile", arguments: ["Reducers", "Values", "Observers"])
  func refuses(file: String) throws {
    let code = try Code(named: file)
    #expect(code.expected.count > 4)
    let said = try code.diagnostics(inMode: 6)
    #expect(
      said == code.expected, "said, and not as expected: \(said.filter { !code.expected.contains($0) })")
  }

  @Test(
    "functions that are passed by name compile without a warning, also in Swift 5 mode", arguments: [5, 6])
  func allows(mode: Int) throws {
    let code = try Code(named: "Allowed")
    #expect(code.expected.isEmpty)
    #expect(try code.diagnostics(inMode: mode).isEmpty)
  }

  @Test(
    "a typical mistake is reported on its own line, with a message that leads to the correction",
    arguments: ["Mistakes", "MissingReturns"])
  func reports(file: String) throws {
    let code = try Code(named: file)
    #expect(!code.expected.isEmpty)
    let reported = try code.diagnostics(inMode: 6)
    #expect(
      reported == code.expected, "unexpected: \(reported.filter { !code.expected.contains($0) })")
  }

  @Test("a stream of actions compiles without the type of its elements")
  func infersElements() throws {
    #expect(try Code(named: "Streams").diagnostics(inMode: 6).isEmpty)
  }

  @Test("the compiler accepts a closure with a hundred handlers, in both forms")
  func takesManyHandlers() throws {
    let handlers = (0..<50).map { number in
      """
        on(Change<Int\(number)>.self) { counts, action in counts[\(number), default: 0] += 1 }
        onReturning(Change<String>.self) { counts, action in counts.merging([\(number): 1]) { old, _ in old } }
      """
    }
    let code = try Code(
      """
      import Flux
      struct Change<Value>: Action {}
      \((0..<50).map { "enum Int\($0) {}" }.joined(separator: "\n"))
      let reducer = ActionHandlers<[Int: Int]> {
      \(handlers.joined(separator: "\n"))
      }
      """)
    #expect(try code.diagnostics(inMode: 6).isEmpty)
  }

  @Test("the check fails if a line compiles unexpectedly, or is refused with another message")
  func notices() throws {
    let allowed = try Code("import Flux\nlet action = EmptyAction()  // refused: an empty action")
    #expect(try allowed.diagnostics(inMode: 6) != allowed.expected)
    let otherwise = try Code(
      "import Flux\nlet action: any Action = 7  // refused: no number may be an action")
    #expect(try otherwise.diagnostics(inMode: 6) != otherwise.expected)
  }
}
