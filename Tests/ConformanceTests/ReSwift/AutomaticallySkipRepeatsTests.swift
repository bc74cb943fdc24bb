import FluxCore
import TestSupport
import Testing

@Suite(
  "ReSwift: AutomaticallySkipRepeats",
  .cases(of: "ReSwift/ReSwift", "ReSwiftTests/AutomaticallySkipRepeatsTests.swift", at: "11f0a2e4", count: 6))
struct AutomaticallySkipRepeatsTests {
  private let store = personStore()
  private let heard = Recorder<String>()

  @Test("an observer of a part that a closure returns is called when it subscribes", .holds(1))
  func firstByClosure() {
    let token = store.subscribe(to: { $0.name }, heard.record)
    #expect(heard.values == ["Ada"])
    token.cancel()
  }

  @Test("an observer of a part at a key path is called when it subscribes", .holds(2))
  func firstByPath() {
    let token = store.subscribe(to: \.name, heard.record)
    #expect(heard.values == ["Ada"])
    token.cancel()
  }

  /// The names that an observer receives when the age changes, and then the name.
  private func heardOfName(_ token: SubscriptionToken) -> [String] {
    store.dispatch(SetAge(age: 37))
    store.dispatch(SetName(name: "Grace"))
    token.cancel()
    return heard.values
  }

  @Test("a part that a closure returns and a comparison checks is delivered only when it differs", .holds(3))
  func comparedByClosure() {
    #expect(heardOfName(store.subscribe(to: { $0.name }, by: ==, heard.record)) == ["Ada", "Grace"])
  }

  @Test("a part at a key path that a comparison checks is delivered only when it differs", .holds(4))
  func comparedByPath() {
    #expect(heardOfName(store.subscribe(to: \.name, by: ==, heard.record)) == ["Ada", "Grace"])
  }

  @Test("a part that a closure returns is delivered only when it differs, without a comparison", .holds(5))
  func byClosure() {
    #expect(heardOfName(store.subscribe(to: { $0.name }, heard.record)) == ["Ada", "Grace"])
  }

  @Test("a part at a key path is delivered only when it differs, without a comparison", .holds(6))
  func byPath() {
    #expect(heardOfName(store.subscribe(to: \.name, heard.record)) == ["Ada", "Grace"])
  }
}
