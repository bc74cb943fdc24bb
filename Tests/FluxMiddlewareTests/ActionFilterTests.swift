import FluxCore
import FluxMiddleware
import Testing

@Suite("A filter of actions")
struct ActionFilterTests {
  private static let actions: [any Action] = [Add(), Note(text: "a"), Unhandled(), Thing(), SpecialThing()]

  private func passing(_ filter: ActionFilter) -> [String] {
    Self.actions.filter(filter.matches).map { "\(type(of: $0))" }
  }

  @Test("the filter all passes every action")
  func all() {
    #expect(passing(.all).count == Self.actions.count)
  }

  @Test("the filter only passes actions of exactly the given types")
  func only() {
    #expect(passing(.only(Add.self)) == ["Add"])
    #expect(passing(.only(Unhandled.self, Add.self)) == ["Add", "Unhandled"])
    #expect(passing(.only(Thing.self)) == ["Thing"])
    #expect(passing(.only()) == [])
  }

  @Test("the filter except passes actions of all other types")
  func except() {
    #expect(passing(.except(Add.self, SpecialThing.self)) == ["Note", "Unhandled", "Thing"])
    #expect(passing(.except()).count == Self.actions.count)
  }

  @Test("the filter where passes actions for which its closure returns true")
  func matching() {
    #expect(passing(.where { ($0 as? Note)?.text == "a" }) == ["Note"])
  }
}
