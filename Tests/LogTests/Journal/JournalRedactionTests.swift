import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("Secrets in journals", .unlessItHangs)
struct JournalRedactionTests {
  private struct Person: Codable, Equatable {
    var name: String
    var pin: String
  }

  private struct Door: Codable, Hashable {
    var number: Int
  }

  /// A state and an action that contain the same secrets at the same places.
  private struct Vault: FluxState, Codable, Equatable {
    var owner = Person(name: "Ada", pin: "secret-1")
    var guests = [Person(name: "Bob", pin: "secret-2"), Person(name: "Cyd", pin: "secret-3")]
    var staff = ["chef": [Person(name: "Dan", pin: "secret-4")]]
    var doors = [Door(number: 7): Person(name: "Eve", pin: "secret-5")]
    /// A key that contains the secret of its value.
    var byPin = ["secret-6": Person(name: "Fay", pin: "secret-6")]
    var session = ["token": "secret-7", "color": "secret-8"]
    var codes = ["secret-9", "secret-10"]
    var maybe: Person? = Person(name: "Gus", pin: "secret-11")
    var count = 0
  }

  private struct Fill: Action, Codable {
    var vault = Vault()
  }

  /// A redaction, and the numbers of the secrets that it hides.
  struct Rule: CustomTestStringConvertible {
    let testDescription: String
    let redaction: Redaction
    let hidden: Set<Int>
  }

  private static let pins: Set = [1, 2, 3, 4, 5, 6, 11]
  private static let rules = [
    Rule(testDescription: "names", redaction: .fields("pin"), hidden: pins),
    Rule(testDescription: "paths", redaction: Redaction { $0.hasSuffix(".pin") }, hidden: pins),
    Rule(
      testDescription: "a path to one value",
      redaction: Redaction { $0 == "owner.pin" || $0 == "vault.owner.pin" }, hidden: [1]),
    Rule(
      testDescription: "paths to keys", redaction: Redaction { $0.contains("session.") }, hidden: [7, 8]),
    Rule(
      testDescription: "a path to a key in the form of a property",
      redaction: Redaction { $0.hasSuffix("session.token") }, hidden: [7]),
    Rule(
      testDescription: "a path to an element", redaction: Redaction { $0.hasSuffix("codes[1]") },
      hidden: [10]),
    Rule(
      testDescription: "paths to elements", redaction: Redaction { $0.contains("guests[1].") }, hidden: [3]),
    Rule(testDescription: "the name of an array", redaction: .fields("codes"), hidden: [9, 10]),
    Rule(testDescription: "the name of a dictionary", redaction: .fields("session"), hidden: [7, 8]),
    Rule(
      testDescription: "names and paths",
      redaction: .fields("pin", "session").and(Redaction { $0.contains("codes[") }),
      hidden: Set(1...11)),
    Rule(
      testDescription: "two rules about paths",
      redaction: Redaction { $0.hasSuffix("codes[0]") }.and(Redaction { $0.hasSuffix(".token") }),
      hidden: [7, 9]),
    Rule(testDescription: "everything", redaction: Redaction { _ in true }, hidden: Set(1...11)),
    Rule(testDescription: "nothing", redaction: .none, hidden: []),
  ]

  private let folder = JournalTestFolder()

  private func makeStore(_ redaction: Redaction, capacity: Int = 1 << 15) throws -> Store<Vault> {
    Store(
      reducer: { (vault: inout Vault, action: any Action) in
        guard let action = action as? Fill else { return }
        vault = action.vault
        vault.count += 1
      },
      plugins: [
        try .journal(
          in: folder.url, capacity: capacity, actions: ActionRegistry(Fill.self), redacting: redaction,
          onProblem: { Issue.record("\($0)") })
      ], state: Vault())
  }

  /// Returns the numbers of the secrets that a text contains.
  private func secrets(in text: String) -> Set<Int> {
    Set((1...11).filter { text.contains("secret-\($0)\"") || text.contains("secret-\($0)\\") })
  }

  private func fileAsText(in folder: JournalTestFolder) throws -> String {
    String(decoding: try Data(contentsOf: folder.url.appending(path: "journal")), as: UTF8.self)
  }

  @Test("the file contains no secret that the redaction hides, and all other values", arguments: rules)
  func file(rule: Rule) throws {
    let store = try makeStore(rule.redaction)
    store.dispatch(Fill())
    let text = try fileAsText(in: try folder.copy())
    #expect(secrets(in: text) == Set(1...11).subtracting(rule.hidden))
    withExtendedLifetime(store) {}
  }

  @Test(
    "the source of a test contains no secret that the redaction hides, and all other values",
    arguments: rules)
  func source(rule: Rule) throws {
    let store = try makeStore(rule.redaction)
    store.dispatch(Fill())
    let report = try #require(try folder.copy().report())
    #expect(secrets(in: try report.testSource()) == Set(1...11).subtracting(rule.hidden))
    withExtendedLifetime(store) {}
  }

  @Test("later snapshots, which replace the older actions, contain no secret")
  func laterSnapshots() throws {
    let store = try makeStore(Self.rules[9].redaction, capacity: 1 << 13)
    var oldest = 0
    for _ in 0..<40 {
      store.dispatch(Fill())
      let copy = try folder.copy()
      #expect(secrets(in: try fileAsText(in: copy)).isEmpty)
      oldest = max(oldest, try #require(try copy.report()).entries.count)
    }
    // Otherwise, no action was replaced.
    #expect(oldest < 40)
  }

  @Test("a state and actions whose strings are hidden in arrays and dictionaries can be replayed")
  func replays() throws {
    let store = try makeStore(Self.rules[0].redaction)
    store.dispatch(Fill())
    let report = try #require(try folder.copy().report())
    let vault: Vault = try report.replay(
      into: { vault, action in if let action = action as? Fill { vault = action.vault } },
      with: ActionRegistry(Fill.self))
    #expect(
      vault.guests == [Person(name: "Bob", pin: Redaction.mark), Person(name: "Cyd", pin: Redaction.mark)])
    #expect(vault.staff["chef"]?.map(\.pin) == [Redaction.mark])
    #expect(vault.doors[Door(number: 7)] == Person(name: "Eve", pin: Redaction.mark))
    #expect(vault.byPin == [Redaction.mark: Person(name: "Fay", pin: Redaction.mark)])
    #expect(vault.session == Vault().session && vault.codes == Vault().codes)
    withExtendedLifetime(store) {}
  }
}
