import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Persistence on a clock that jumps", .unlessItHangs)
struct ClockJumpTests {
  private let clock = JumpingClock()
  private let storage = StorageProbe()

  private func makePersistence() -> Persistence<App, Library> {
    Persistence(of: \.library, in: storage, window: .seconds(10), clock: clock, onProblem: { _ in })
  }

  @Test("when the clock is set forward by a day, the window closes and the state is saved once")
  func forwards() async {
    let store = Store(reducer: appReducer, plugins: [makePersistence().plugin], state: App())
    store.dispatch(Add())
    store.dispatch(Add())
    await clock.naps.count(atLeast: 1)
    clock.set(to: .seconds(86_400))
    await storage.saves(atLeast: 1)
    #expect(storage.savedCount == 2)
    #expect(storage.saveCount == 1)
    withExtendedLifetime(store) {}
  }

  @Test("when the clock is set back by a day, the window is longer, and a flush does not wait for it")
  func backwards() async throws {
    let persistence = makePersistence()
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    store.dispatch(Add())
    await clock.naps.count(atLeast: 1)
    clock.set(to: .seconds(-86_400))
    store.dispatch(Add())
    try await persistence.flush()
    #expect(storage.savedCount == 2)
    store.dispatch(Add())
    clock.set(to: .seconds(10))
    await storage.saves(atLeast: 2)
    #expect(storage.savedCount == 3)
  }

  @Test("when the clock is set back, the end of the store still saves")
  func end() async {
    var store: Store<App>? = Store(reducer: appReducer, plugins: [makePersistence().plugin], state: App())
    store?.dispatch(Add())
    await clock.naps.count(atLeast: 1)
    clock.set(to: .seconds(-86_400))
    store = nil
    #expect(storage.savedCount == 1)
  }
}
