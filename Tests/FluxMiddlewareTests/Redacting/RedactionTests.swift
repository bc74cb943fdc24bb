import FluxCollections
import FluxMiddleware
import Testing

@Suite("What is secret, in texts and differences")
struct RedactionTests {
  private struct User: Hashable, Identifiable, CustomStringConvertible {
    var id = 1
    var name = "Ada"
    var password = "swordfish"

    var description: String { "\(name) with \(password)" }
  }

  private struct Film {
    var title = "Heat"
  }

  private enum Entry: Hashable {
    case guest
    case user(name: String, password: String)
    case token(String)
    case login(password: String)
  }

  private class Base {
    let password: String

    init(_ password: String) { self.password = password }
  }

  private final class Derived: Base {
    let name = "Ada"
  }

  private struct State {
    var users = OrderedState<User>()
    var list: [User] = []
    var table: [String: String] = [:]
    var one: User?
    var entry = Entry.guest
    var numbers: Set<Int> = []
  }

  private let redaction = Redaction.fields("password", "token")

  @Test("without a redaction, a value is shown with its own description")
  func none() {
    #expect(Redaction.none.text(of: User()) == "Ada with swordfish")
  }

  @Test("a value without a secret is shown with its own description")
  func nothingSecret() {
    #expect(redaction.text(of: Film()) == "Film(title: \"Heat\")")
    #expect(redaction.text(of: "a text") == "a text")
    #expect(redaction.text(of: [3, 4]) == "[3, 4]")
  }

  @Test("a value that contains a secret is shown by its parts, whatever its own description")
  func parts() {
    #expect(redaction.text(of: User()) == "User(id: 1, name: \"Ada\", password: •••)")
    #expect(redaction.text(of: [User()]) == "[User(id: 1, name: \"Ada\", password: •••)]")
    #expect(redaction.text(of: ["token": "x", "tone": "y"]).contains("token: •••"))
    #expect(
      redaction.text(of: Entry.user(name: "Ada", password: "x")) == "user: (name: \"Ada\", password: •••)")
    #expect(redaction.text(of: Entry.token("x")) == "token: •••")
    #expect(redaction.text(of: Entry.login(password: "x")) == "login: (password: •••)")
    #expect(redaction.text(of: Optional(User()) as Any) == "User(id: 1, name: \"Ada\", password: •••)")
  }

  @Test("an inherited property can be secret, too")
  func inherited() {
    #expect(redaction.text(of: Derived("swordfish")) == "Derived(password: •••, name: \"Ada\")")
  }

  @Test("a value that is too deep to be searched is not shown at all")
  func deep() {
    indirect enum Chain {
      case end(User)
      case link(Chain)
    }
    var chain = Chain.end(User())
    for _ in 0..<200 { chain = .link(chain) }
    #expect(!redaction.text(of: chain).contains("swordfish"))
  }

  @Test("a value that is too large to be searched is not shown at all")
  func large() {
    let users = (0..<20_000).map { User(id: $0) }
    #expect(!redaction.text(of: users).contains("swordfish"))
    #expect(!redaction.text(of: [Array(0..<20_000).map(String.init), ["swordfish"]]).contains("swordfish"))
  }

  @Test("a path has the form that differences print")
  func paths() {
    let byPath = Redaction { $0 == "list[1].name" }
    var state = State()
    state.list = [User(), User()]
    let text = byPath.text(of: state)
    #expect(text.contains("list: [Ada with swordfish, User(id: 1, name: •••, password: \"swordfish\")]"))
  }

  @Test("an element with a secret path is not shown, whether it changed, was inserted, or was removed")
  func elements() {
    let byPath = Redaction { $0 == "list[1]" || $0 == "users[2].name" || $0 == "one" }
    let old = State(users: [User(), User(id: 2, name: "Bob")], list: [User(), User(id: 2)], one: User())
    var new = old
    new.list[1].password = "shark"
    new.users[id: 2]?.name = "Eve"
    new.one?.name = "Eve"
    let changed = StateDifference(from: old, to: new, redacting: byPath)
    #expect(
      changed.description == "users[2].name: ••• → •••, list[1]: ••• → •••, one: ••• → •••")
    new = old
    new.list.removeLast()
    new.users.remove(id: 2)
    #expect(
      StateDifference(from: old, to: new, redacting: byPath).description
        == "users[2]: User(id: 2, name: •••, password: \"swordfish\") → nothing, list: - •••")
  }

  @Test("a key or id that is a text is in quotation marks in a path, unshortened, in texts and differences")
  func keys() {
    struct Account: Equatable, Identifiable {
      let id: String
      var pin = "swordfish"
    }
    struct Bank {
      var list: OrderedState<Account>
      var table: [String: Account]
    }
    for name in ["Ada", "A\nB", String(repeating: "Ada", count: 1_000)] {
      let place = "[\"\(name.replacing("\n", with: "\\n"))\"]"
      let secrets: Set<String> = ["list\(place).pin", "table\(place).pin"]
      let byPath = Redaction { secrets.contains($0) }
      let old = Bank(list: [Account(id: name)], table: [name: Account(id: name)])
      var new = old
      new.list[id: name]?.pin += "2"
      new.table[name]?.pin += "2"
      #expect(!byPath.text(of: old).contains("swordfish"))
      let difference = StateDifference(from: old, to: new, redacting: byPath)
      #expect(difference.changes.map(\.old) == [Redaction.mark, Redaction.mark])
    }
  }

  @Test("a property is secret by its declared name, even if it is wrapped or lazy")
  func declaredNames() {
    @propertyWrapper
    struct Trimmed {
      var wrappedValue: String
    }
    struct Login {
      @Trimmed var password = "swordfish"
      lazy var token = "swordfish"
      var user = "Ada"
    }
    var old = Login()
    _ = old.token
    var new = old
    new.password += "2"
    new.token += "2"
    for redaction in [redaction, Redaction { $0 == "password" || $0 == "token" }] {
      #expect(!redaction.text(of: old).contains("swordfish"))
      let difference = StateDifference(from: old, to: new, redacting: redaction)
      #expect(!difference.description.contains("swordfish"))
      #expect(difference.changes.count == 2)
    }
  }

  @Test("a key that is not a text is named by its description, in a difference as in a text")
  func keysThatAreNoTexts() {
    enum Field {
      case name, password
    }
    let old: [Field: String] = [.name: "Ada", .password: "swordfish"]
    let new: [Field: String] = [.name: "Eve", .password: "shark"]
    let difference = StateDifference(from: old, to: new, redacting: redaction).description
    #expect(difference.contains("Eve") && !difference.contains("shark"))
    #expect(!redaction.text(of: old).contains("swordfish"))
  }

  @Test("two combined redactions hide whatever either of them hides")
  func both() {
    let both = Redaction.fields("name").and(Redaction { $0 == "id" }).and(Redaction { $0 == "password" })
    #expect(both.text(of: User()) == "User(id: •••, name: •••, password: •••)")
  }

  @Test("a difference shows that a secret changed, but not its values", arguments: 0..<8)
  func differences(which: Int) {
    var old = State(users: [User()], list: [User()], table: ["token": "swordfish"], one: User())
    old.entry = .user(name: "Ada", password: "swordfish")
    var new = old
    let changes: [(inout State) -> Void] = [
      { $0.users[id: 1]?.password = "swordfish2" },
      { $0.users.append(User(id: 2)) },
      { $0.users.removeAll() },
      { $0.list[0].password = "swordfish2" },
      { $0.list.append(User()) },
      { $0.table["token"] = "swordfish2" },
      { $0.table["token"] = nil },
      { $0.one = nil },
    ]
    changes[which](&new)
    for (old, new) in [(old, new), (new, old)] {
      let difference = StateDifference(from: old, to: new, redacting: redaction)
      #expect(!difference.isEmpty)
      #expect(!difference.description.contains("swordfish"))
    }
  }

  @Test("the secret of an enumeration case is not shown, and an unchanged secret is no change")
  func enumerations() {
    var new = State(entry: .user(name: "Ada", password: "swordfish"))
    #expect(
      StateDifference(from: State(), to: new, redacting: redaction).description
        == "entry: guest → user: (name: \"Ada\", password: •••)")
    let old = new
    new.numbers = [3]
    #expect(StateDifference(from: old, to: new, redacting: redaction).description == "numbers: + 3")
  }

  @Test("a change has one of four types: changed, inserted, removed, or moved")
  func kinds() {
    var old = State(users: [User(), User(id: 2), User(id: 3)], list: [User()])
    old.numbers = [1]
    var new = old
    new.users.remove(id: 1)
    new.users.append(User(id: 4))
    new.users.move(from: 1, to: 0)
    new.list[0].name = "Eve"
    new.numbers = [2]
    let difference = StateDifference(from: old, to: new)
    #expect(difference.changes.map(\.kind) == [.removed, .moved, .inserted, .changed, .changed])
  }
}
