import FluxCore
import FluxMiddleware
import Testing

@Suite("A filter of actions")
struct ActionFilterTests {
  private static let actions: [any Action] = [Add(), Note(text: "a"), Unhandled(), Thing(), SpecialThing()]

  private func passing(_ filter: ActionFilter) -> [String] {
    Self.actions.filter(filter.matches).map { "\(type(of: $0))" }
  }

  @Test("all lets everything pass")
  func all() {
    #expect(passing(.all).count == Self.actions.count)
  }

  @Test("only lets actions of exactly these types pass")
  func only() {
    #expect(passing(.only(Add.self)) == ["Add"])
    #expect(passing(.only(Unhandled.self, Add.self)) == ["Add", "Unhandled"])
    #expect(passing(.only(Thing.self)) == ["Thing"])
    #expect(passing(.only()) == [])
  }

  @Test("except lets actions of all other types pass")
  func except() {
    #expect(passing(.except(Add.self, SpecialThing.self)) == ["Note", "Unhandled", "Thing"])
    #expect(passing(.except()).count == Self.actions.count)
  }

  @Test("where lets those pass for which its closure says so")
  func matching() {
    #expect(passing(.where { ($0 as? Note)?.text == "a" }) == ["Note"])
  }
}
