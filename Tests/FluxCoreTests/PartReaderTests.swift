import FluxCore
import Testing

@Suite("Reading a part of a state in place")
struct PartReaderTests {
  private struct Inner {
    var count = 7
  }

  private struct Whole: FluxState {
    var first: UInt8 = 1
    var title = "a title that does not fit into sixteen bytes"
    var inner = Inner()
    var observed = 3 { didSet { first += 1 } }
    var numbers = [8, 9]
    var optional: Inner? = Inner(count: 5)
    var computed: String { title + "!" }
  }

  private class Base: FluxState, @unchecked Sendable {
    let name = "base"
  }

  private final class Derived: Base, @unchecked Sendable {}

  private struct Other: FluxState {}

  private func parts<State, Part>(of state: any FluxState, _ reader: PartReader<State, Part>) -> [Part] {
    var parts: [Part] = []
    reader(state) { parts.append($0.pointee) }
    return parts
  }

  @Test("a stored property is read")
  func stored() {
    #expect(parts(of: Whole(), PartReader(\Whole.title)) == ["a title that does not fit into sixteen bytes"])
  }

  @Test("a property of a stored property is read")
  func nested() {
    #expect(parts(of: Whole(), PartReader(\Whole.inner.count)) == [7])
  }

  @Test("a computed property is read")
  func computed() {
    #expect(
      parts(of: Whole(), PartReader(\Whole.computed)) == ["a title that does not fit into sixteen bytes!"])
  }

  @Test("a property with an observer is read")
  func observed() {
    #expect(parts(of: Whole(), PartReader(\Whole.observed)) == [3])
  }

  @Test("an element of an array is read")
  func element() {
    #expect(parts(of: Whole(), PartReader(\Whole.numbers[1])) == [9])
  }

  @Test("a state is a part of itself")
  func whole() {
    #expect(parts(of: Whole(), PartReader(\Whole.self)).map(\.title.count) == [44])
  }

  @Test("a property of an optional is read through an optional chain")
  func optional() {
    #expect(parts(of: Whole(), PartReader(\Whole.optional?.count)) == [5])
    #expect(parts(of: Whole(optional: nil), PartReader(\Whole.optional?.count)) == [nil])
  }

  @Test("a closure computes a part")
  func closure() {
    #expect(parts(of: Whole(), PartReader(computing: { (whole: Whole) in whole.title.count })) == [44])
  }

  @Test("a property of an object is read")
  func object() {
    #expect(parts(of: Base(), PartReader(\Base.name)) == ["base"])
  }

  @Test("a property of a superclass is read from an object of a subclass")
  func subclass() {
    #expect(parts(of: Derived(), PartReader(\Base.name)) == ["base"])
  }

  @Test("nothing is read from a state of another type")
  func otherType() {
    #expect(parts(of: Other(), PartReader(\Whole.title)) == [])
    #expect(parts(of: Base(), PartReader(\Whole.title)) == [])
  }
}
