import FluxCore
import FluxMiddleware
import Foundation
import Testing

@Suite("Redaction of an exported history")
struct HistoryRedactionTests {
  /// A state with a secret, whose actions contain the secret too.
  private struct Account: FluxState, Codable, Equatable {
    struct Card: Codable, Equatable {
      var number = 4_711
      var isValid = true
      var codes = ["4711"]
      var owner: String?
    }

    var name = ""
    var pin = ""
    var card = Card()
  }

  private struct SetPin: Action, Codable {
    let pin: String
  }

  private struct Greet: Action {
    let name: String
    let pin: String
  }

  private static let secret = "4711"

  /// An action that cannot be encoded, and whose error contains its value.
  private struct Broken: Action, Codable {
    var pin = secret

    func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: pin))
    }
  }

  @Test("the error about a value that cannot be written omits the value, unless nothing is secret")
  func unencodable() throws {
    let history = History<Account>()
    let store = Store(reducer: { (_: inout Account, _) in }, plugins: [history.plugin], state: Account())
    store.dispatch(Broken())
    let registry = ActionRegistry(Broken.self)
    for redaction in [Redaction.none, .fields("pin")] {
      let exporting = #expect(throws: HistoryError.self) {
        _ = try history.export(from: store, with: registry, redacting: redaction)
      }
      let encoding = #expect(throws: HistoryError.self) {
        _ = try registry.encode(Broken(), redacting: redaction)
      }
      for error in [exporting, encoding] {
        #expect(error?.description.contains(Self.secret) == redaction.isNone)
      }
    }
  }

  private func exported(redacting redaction: Redaction) throws -> String {
    let history = History<Account>()
    let store = Store(
      reducer: { state, action in
        if let action = action as? SetPin { state.pin = action.pin }
        if let action = action as? Greet { state.name = action.name }
      }, plugins: [history.plugin], state: Account())
    store.dispatch(SetPin(pin: Self.secret))
    store.dispatch(Greet(name: "Ada", pin: Self.secret))
    let data = try history.export(from: store, with: ActionRegistry(SetPin.self), redacting: redaction)
    // The export can be imported, whatever it omits.
    _ = try history.importing(data, with: ActionRegistry(SetPin.self))
    return String(decoding: data, as: UTF8.self)
  }

  @Test("without a redaction, everything is written")
  func whole() throws {
    #expect(try exported(redacting: .none).contains(Self.secret))
  }

  @Test("values with a secret name are in no state, action, or description, and all others are exported")
  func fields() throws {
    let text = try exported(redacting: .fields("pin", "card"))
    #expect(!text.contains(Self.secret))
    #expect(text.contains("Ada"))
    #expect(text.contains("Greet(name: \\\"Ada\\\", pin: •••)"))
  }

  @Test("paths start at a state or an action, whatever its position in the document")
  func paths() throws {
    let text = try exported(redacting: Redaction { ["pin", "card.number", "card.codes[0]"].contains($0) })
    #expect(!text.contains(Self.secret))
    #expect(text.contains("\"isValid\" : true"))
  }

  @Test("the imported description of an unknown action is not exported again")
  func unknown() throws {
    let history = History<Account>()
    let store = Store(reducer: { state, _ in state }, plugins: [history.plugin], state: Account())
    let registry = ActionRegistry()
    store.dispatch(UnknownAction(name: "Old", payload: nil, description: "Old(pin: \(Self.secret))"))
    #expect(try String(decoding: history.export(from: store, with: registry), as: UTF8.self).contains("Old("))
    let data = try history.export(from: store, with: registry, redacting: .fields("pin", "card"))
    #expect(!String(decoding: data, as: UTF8.self).contains(Self.secret))
  }
}
