import FluxCollections
import FluxCore
import TestSupport
import Testing

@Suite("The lifetime of an adapter's order")
struct AdapterLifetimeTests {
  @Test(
    "a value that the order of an EntityAdapter captured is released with the last copy; no list keeps it")
  func order() async {
    let lists = Shared<[OrderedState<Entry>]>([])
    let adapter = Keeper("EntityAdapter") { touch in
      let adapter = EntityAdapter<Entry>(sortedBy: { left, right in
        touch()
        return left < right
      })
      var list = adapter.list(of: [Entry(2, "b"), Entry(1, "a")])
      adapter.add(Entry(3, "aa"), to: &list)
      lists.value.append(list)
      return [adapter]
    }
    await adapter.expectRelease()
    #expect(lists.value.map(\.ids) == [[1, 3, 2]])
  }
}
