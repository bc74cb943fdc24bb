import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("An action registry")
struct ActionRegistryTests {
  private struct Move: Action, Codable { let x: Int }
  private enum Elsewhere {
    struct Move: Action, Codable {}
  }
  private struct Other: Action {}

  @Test("a type uses its own name unless another is given")
  func names() {
    var registry = ActionRegistry(Write.self, Move.self)
    registry.register(Elsewhere.Move.self, as: "Elsewhere.Move")
    #expect(registry.name(of: Write.self) == "Write")
    #expect(registry.name(of: Move.self) == "Move")
    #expect(registry.name(of: Elsewhere.Move.self) == "Elsewhere.Move")
    #expect(registry.name(of: Other.self) == nil)
  }

  @Test("registering a type changes a copy")
  func registering() {
    let registry = ActionRegistry()
    #expect(registry.registering(Move.self, as: "Shift").name(of: Move.self) == "Shift")
    #expect(registry.name(of: Move.self) == nil)
  }

  @Test("a type may be registered again under the same name")
  func again() {
    #expect(ActionRegistry(Move.self).registering(Move.self).name(of: Move.self) == "Move")
  }

  @Test("two types under one name stop the program with a message that names both")
  func twoTypes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ActionRegistry(Move.self, Elsewhere.Move.self)
    }
    expect(
      result, says: "\"Move\" was registered for the action types Move and Move.",
      "Register one of them under another name"
    )
  }

  @Test("one type under two names stops the program with a message")
  func twoNames() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ActionRegistry(Move.self).registering(Move.self, as: "Shift")
    }
    expect(
      result, says: "the action type Move was registered as \"Shift\" and as \"Move\".",
      "Register each type only once."
    )
  }
}
