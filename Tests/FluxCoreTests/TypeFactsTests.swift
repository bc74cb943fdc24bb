import FluxCore
import TestSupport
import Testing

@Suite("Facts about types")
struct TypeFactsTests {
  private protocol Named {}
  private struct Name: Named, Equatable {
    var text: String
  }
  private final class Object {}
  private enum Choice: Equatable { case one, two(Int) }
  private struct Mixed<Value> {
    var flag = true
    var number: Int32 = 7
    var text = "a text that takes an object"
    var pair: (UInt8, Double) = (1, 2.5)
    var value: Value
    var existential: any Named = Name(text: "existential")
    var object = Object()
    var optional: Int? = 3
    var choice = Choice.two(4)
    var function: (Int) -> Int = { $0 }
    var empty: Void = ()
    lazy var later = 5
  }
  private struct Holder {
    weak var object: Object?
  }
  private struct Custom: CustomReflectable {
    var stored = 1
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  private func fields(of value: Any) throws -> [StoredField] {
    guard case .fields(let fields) = TypeFacts.ofValue(value).parts else {
      throw NoFields()
    }
    return fields
  }
  private struct NoFields: Error {}

  @Test("the stored fields of a structure are the children of its mirror")
  func fieldsOfStructure() throws {
    for value in [Mixed(value: Name(text: "a")), Mixed(value: UInt8(9)), Mixed(value: [Choice.one])] as [Any]
    {
      let children = Array(Mirror(reflecting: value).children)
      let fields = try fields(of: value)
      #expect(fields.map(\.name) == children.map(\.label))
      #expect(fields.count == 12)
      for (field, child) in zip(fields, children) {
        #expect(String(describing: field.value(in: value)) == String(describing: child.value))
        #expect(type(of: field.value(in: value)) == type(of: child.value))
      }
    }
  }

  @Test("a structure with a weak reference, and one with a custom mirror, have no stored fields")
  func mirrored() {
    for value in [Holder(), Custom(), [1], Object(), Int?.some(1) as Any] as [Any] {
      guard case .mirrored = TypeFacts.ofValue(value).parts else {
        Issue.record("\(value) has parts that no mirror shows")
        continue
      }
    }
  }

  @Test("casts of objects, optionals, existentials, and AnyHashable depend on the value")
  func exactTypes() {
    #expect(TypeFacts.of(Name.self).isExact)
    #expect(TypeFacts.of(Choice.self).isExact)
    #expect(TypeFacts.of([Int].self).isExact)
    #expect(!TypeFacts.of(Object.self).isExact)
    #expect(!TypeFacts.of(Optional<Int>.self).isExact)
    #expect(!TypeFacts.of((any Named).self).isExact)
    #expect(!TypeFacts.of(AnyHashable.self).isExact)
    #expect(TypeFacts.ofBoth(1, 2) != nil)
    #expect(TypeFacts.ofBoth(1, "2") == nil)
  }

  @Test("values and fields are equal by the == of their type")
  func equality() throws {
    let facts = TypeFacts.of(Name.self)
    #expect(facts.areEqual(Name(text: "a"), Name(text: "a")) == true)
    #expect(facts.areEqual(Name(text: "a"), Name(text: "b")) == false)
    #expect(facts.areEqual(unboxed: Name(text: "a"), Name(text: "b")) == false)
    let old = Mixed(value: Name(text: "a"))
    var new = old
    new.value.text = "b"
    new.number = 8
    let areEqual = try fields(of: old).map { $0.areEqual(in: old, new) }
    #expect(areEqual == [true, false, true, nil, false, nil, nil, true, true, nil, nil, true])
  }

  @Test("the facts about a type are determined once")
  func sameFacts() {
    #expect(TypeFacts.of(Name.self) === TypeFacts.ofValue(Name(text: "")))
  }

  @Test("threads that ask for a new type at the same time receive the same facts")
  func sameFactsOnAllThreads() {
    var type: any Any.Type = Name.self
    for _ in 0..<50 {
      type = typeOfArrays(of: type)
      let asked = type
      let ready = Shared(0)
      let found = Recorder<ObjectIdentifier>()
      let workers = (0..<2).map { _ in
        Worker {
          ready.change { $0 += 1 }
          while ready.value < 2 {}
          found.record(ObjectIdentifier(TypeFacts.of(asked)))
        }
      }
      for worker in workers { worker.join() }
      #expect(found.values[0] == found.values[1])
    }
  }

  private func typeOfArrays(of element: any Any.Type) -> any Any.Type {
    func open<Element>(_: Element.Type) -> any Any.Type { [Element].self }
    return _openExistential(element, do: open)
  }
}
