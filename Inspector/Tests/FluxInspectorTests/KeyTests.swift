import Flux
import FluxInspector
import Testing

@Suite("Keys in trees", .timeLimit(.minutes(15)))
struct KeyTests {
  private struct Card: Hashable, Sendable {
    var bank = "Swift"
    var pin: String
  }

  private struct Vault: FluxState {
    var owners: [Card: String] = [:]
    var numbers: [Int: Int] = [:]
    var note = ""
  }

  /// An inspector with a store that holds a vault.
  private struct Bank {
    let inspector = Inspector(isEnabled: true, sink: Lines().sink, clock: TurnClock())
    let store: Store<Vault>

    init(_ vault: Vault) {
      let reducer: MutatingReducer<Vault> = { _, _ in }
      store = Store(
        reducer: reducer, plugins: [inspector.plugin(named: "Vault", redacting: .fields("pin"))], state: vault
      )
    }

    func open() async throws -> PageClient {
      let page = try await PageClient.open(inspector.address)
      _ = try await page.next("welcome")
      return page
    }
  }

  @Test("a key is shown without its secrets, and leads to its entry")
  func secretKey() async throws {
    let bank = Bank(Vault(owners: [Card(pin: "swordfish"): "Ada"]))
    let page = try await bank.open()
    let label = "Card(bank: \"Swift\", pin: •••)"
    let tree = try await page.ask("state")["tree"]
    #expect(tree?.node("owners", label)?["value"] == "\"Ada\"")
    #expect(try await page.ask("state", ["path": ["owners", .string(label)]])["tree"]?["value"] == "\"Ada\"")
  }

  @Test("two keys that read alike without their secrets are both shown, and lead to no entry")
  func alike() async throws {
    let bank = Bank(Vault(owners: [Card(pin: "swordfish"): "Ada", Card(pin: "shark"): "Eve"]))
    let page = try await bank.open()
    let owners = try await page.ask("state")["tree"]?.node("owners")?["children"]?.elements ?? []
    #expect(Set(owners.compactMap { $0["value"]?.string }) == ["\"Ada\"", "\"Eve\""])
    let path: JSONValue = ["owners", "Card(bank: \"Swift\", pin: •••)"]
    #expect(try await page.ask("state", ["path": path])["code"] == "noSuchPath")
  }

  @Test("entries are in the order of their numeric keys, or in their own order if there are very many")
  func order() async throws {
    func labels(of numbers: Range<Int>) async throws -> [String] {
      let bank = Bank(Vault(numbers: Dictionary(uniqueKeysWithValues: numbers.map { ($0, -$0) })))
      let page = try await bank.open()
      #expect(try await page.ask("state", ["path": ["numbers", "9"]])["tree"]?["value"] == "-9")
      let node = try await page.ask("state")["tree"]?.node("numbers")
      #expect(node?["summary"] == .string("\(numbers.count) entries"))
      #expect(node?["isCut"] == true)
      return (node?["children"]?.elements ?? []).compactMap { $0["label"]?.string }
    }
    #expect(try await labels(of: 0..<10_000) == (0..<200).map(String.init))
    let first = try await labels(of: 0..<10_001)
    #expect(Set(first).count == 200)
    #expect(first != (0..<200).map(String.init))
  }

  @Test("a text whose characters have very many bytes is also cut by its bytes")
  func bytes() async throws {
    let note = "e" + String(repeating: "\u{301}", count: 100_000)
    let bank = Bank(Vault(note: note))
    let value = try await bank.open().ask("state")["tree"]?.node("note")?["value"]?.string
    // Four bytes for each of 300 characters, minus a character that would be cut in half, plus `…`
    // and two quotation marks.
    #expect(value.map { Array($0.unicodeScalars.prefix(3)) } == ["\"", "e", "\u{301}"])
    #expect(value.map { Array($0.unicodeScalars.suffix(3)) } == ["\u{301}", "…", "\""])
    #expect(value?.utf8.count == 1_199 + 5)
  }
}
