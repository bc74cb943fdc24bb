import FluxCollections
import FluxMiddleware
import Foundation
import Testing

@Suite("Secrets in keys and ids")
struct RedactedKeyTests {
  private struct Card: Hashable {
    var bank = "Swift"
    var pin = "swordfish"
  }

  private struct Account: Hashable, Identifiable {
    var id = Card()
    var owner = "Ada"
  }

  private struct Login: Hashable, Identifiable {
    var id: String { password }
    var password = "swordfish"
    var user = "Ada"
  }

  private struct State {
    var owners: [Card: String] = [:]
    var cards: Set<Card> = []
    var limits: [Card?: Int] = [:]
    var accounts = OrderedState<Account>()
  }

  private let redaction = Redaction.fields("pin")

  private func state(owner: String) -> State {
    State(
      owners: [Card(): owner], cards: [Card(bank: owner)], limits: [Card(): owner.count],
      accounts: [Account(owner: owner)])
  }

  @Test("in JSON, a text that contains the secret of a sibling is hidden")
  func siblingOfSecret() {
    let json: JSONValue = ["pin": "swordfish", "note": "The pin is swordfish.", "owner": "Ada"]
    #expect(redaction.json(json) == ["pin": "•••", "note": "•••", "owner": "Ada"])
  }

  @Test("the parts of a key are shown like those of a value, without its secrets")
  func keys() {
    #expect(redaction.text(of: [Card(): "Ada"]) == "[Card(bank: \"Swift\", pin: •••): \"Ada\"]")
    #expect(!redaction.text(of: state(owner: "Ada")).contains("swordfish"))
  }

  @Test("a difference names an entry and an element without the secrets in its key or id")
  func differences() {
    let difference = StateDifference(
      from: state(owner: "Ada"), to: state(owner: "Eve"), redacting: redaction)
    #expect(
      difference.changes.map(\.path).prefix(2) == ["owners[Card(bank: \"Swift\", pin: •••)]", "cards"])
    #expect(difference.changes.contains { $0.path == "accounts[Card(bank: \"Swift\", pin: •••)].owner" })
    #expect(!difference.description.contains("swordfish"))
  }

  @Test("the paths of inserted and removed entries, and of elements, contain no secrets either")
  func comings() {
    let difference = StateDifference(from: State(), to: state(owner: "Ada"), redacting: redaction)
    #expect(difference.changes.count == 4)
    #expect(!difference.description.contains("swordfish"))
  }

  @Test("a path identifies a secret in a key after empty brackets")
  func paths() {
    let byPath = Redaction { $0 == "owners[].pin" || $0 == "limits[].bank" || $0 == "accounts[].pin" }
    let old = state(owner: "Ada")
    let text = byPath.text(of: old)
    #expect(text.contains("owners: [Card(bank: \"Swift\", pin: •••): \"Ada\"]"))
    #expect(text.contains("limits: [Card(bank: •••, pin: \"swordfish\"): 3]"))
    let difference = StateDifference(from: old, to: state(owner: "Eve"), redacting: byPath)
    #expect(difference.changes.contains { $0.path == "accounts[Card(bank: \"Swift\", pin: •••)].owner" })
  }

  @Test(
    "an element whose id is secret, or equals its secret, is named by its position, or not in differences",
    arguments: [
      Redaction.fields("id", "password"), .fields("password"), Redaction { $0.hasSuffix("].password") },
    ])
  func secretIDs(secret: Redaction) {
    struct State {
      var logins: OrderedState<Login>
    }
    let old = State(logins: [Login(), Login(password: "shark")])
    var new = old
    new.logins[id: "swordfish"]?.user = "Eve"
    new.logins.move(from: 1, to: 0)
    let parts = ValuePart(old, redacting: secret).parts.flatMap(\.parts)
    #expect(parts.map(\.path) == ["logins[0]", "logins[1]"])
    let difference = StateDifference(from: old, to: new, redacting: secret)
    #expect(Set(difference.changes.map(\.path)).isSubset(of: ["logins[•••].user", "logins[•••]"]))
    #expect(difference.changes.count == 2)
  }

  @Test("an optional key is named by its value, in a difference as in a text")
  func optionalKeys() {
    let (old, new): ([String?: String], [String?: String]) = (["pin": "swordfish"], ["pin": "shark"])
    #expect(redaction.text(of: old) == "[pin: •••]")
    #expect(StateDifference(from: old, to: new, redacting: redaction).description == "[\"pin\"]: ••• → •••")
  }

  @Test("in JSON an entry of a list of keys and values is secret by its key")
  func listsOfEntries() throws {
    enum Field: String, Codable {
      case name, pin
    }
    let old: [Field: [String]] = [.name: ["Ada"], .pin: ["swordfish"]]
    let json = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(["fields": old]))
    for redaction in [redaction, Redaction { $0 == "fields.pin" }] {
      guard case .array(let list) = redaction.json(json)["fields"] else {
        Issue.record("No list of keys and values.")
        return
      }
      #expect(list.count == 4)
      #expect(list.contains(["Ada"]) && list.contains("pin") && list.contains([]))
    }
  }

  @Test("an entry is secret according to the whole text of its key, including secrets")
  func namedByKey() {
    let byName = Redaction.fields("\(Card())")
    #expect(byName.text(of: [Card(): "Ada"]).hasSuffix(": •••]"))
  }
}
