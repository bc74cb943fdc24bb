import FluxCollections
import Testing

private struct Row: Identifiable, Equatable {
  let id: Int
}

@Suite("The description of a list")
struct DescriptionTests {
  private let list = OrderedState([Row(id: 2), Row(id: 1)])

  @Test("a list has the description of an array of its elements")
  func described() {
    #expect("\(list)" == "\(list.values)")
    #expect(String(reflecting: list) == String(reflecting: list.values))
  }

  @Test("a mirror shows the elements in their order, and not the storage")
  func reflected() {
    let mirror = Mirror(reflecting: list)
    #expect(mirror.displayStyle == .collection)
    #expect(mirror.children.map { $0.value as? Row } == [Row(id: 2), Row(id: 1)])
    #expect(mirror.children.allSatisfy { $0.label == nil })
  }
}
