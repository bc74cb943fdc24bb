import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Settings for the work of a store")
struct WorkSettingsTests {
  private let clock = ManualClock()

  private func makeStore(_ plugins: [Plugin<Marks>] = []) -> Store<Marks> {
    Timeline.$ofTest.withValue(Timeline(clock, executor: nil)) {
      Store(
        reducer: on(Mark.self) { (marks: inout Marks, mark) in marks.names.append(mark.name) },
        plugins: plugins, state: Marks())
    }
  }

  @Test("The time of a store does not depend on the time at which it is first read")
  func firstRead() {
    let (early, late) = (makeStore(), makeStore())
    #expect(early.time == .zero)
    clock.advance(by: .seconds(3))
    #expect(early.time == .seconds(3))
    #expect(late.time == .seconds(3))
  }

  @Test("The clock of the first plug-in counts, also after work has begun")
  func severalClocks() async {
    let other = ManualClock()
    let store = makeStore([.asyncWork(clock: clock), .asyncWork(clock: other)])
    await store.dispatchAsync(MarkLater(name: "a")).finished()
    clock.advance(by: .seconds(2))
    other.advance(by: .seconds(50))
    #expect(store.time == .seconds(2))
  }

  @Test("The policies of a plug-in apply in its own store, even if another store dispatched work before")
  func policiesOfOneStore() async {
    let plain = makeStore()
    await plain.dispatchAsync(MarkLater(name: "first")).finished()
    let strict = makeStore([.asyncWork(policies: [.of(MarkLater.self, .throttled)])])
    for store in [plain, strict] {
      await store.dispatchAsync(
        ActionPlan<Marks> { for name in ["a", "b"] { $0.dispatch(MarkLater(name: name)) } }
      )
      .finished()
    }
    #expect(Set(plain.state.names) == ["first", "a", "b"])
    #expect(strict.state.names == ["a"])
  }

  @Test("The work of a subclass is not of the same kind as the work of its superclass")
  func subclasses() async {
    let store = makeStore([.asyncWork(policies: [.of(SpecialMark.self, .throttled)])])
    for action: any Action in [PlainMark(), PlainMark(), SpecialMark(), SpecialMark()] {
      await store.dispatchAsync(action).finished()
    }
    #expect(store.state.names == ["PlainMark", "PlainMark", "SpecialMark"])
  }
}

extension WorkPolicy {
  /// A policy that drops all work after the first.
  fileprivate static var throttled: WorkPolicy { .every.throttled(every: .seconds(1_000), latest: false) }
}

private struct Marks: FluxState { var names: [String] = [] }
private struct Mark: Action { let name: String }

private struct MarkLater: TaskAction {
  let name: String

  func execute(state: Marks, dispatch: @escaping DispatchFunction) async throws { dispatch(Mark(name: name)) }
}

private class PlainMark: TaskAction, @unchecked Sendable {
  func execute(state: Marks, dispatch: @escaping DispatchFunction) async throws {
    dispatch(Mark(name: "\(type(of: self))"))
  }
}

private final class SpecialMark: PlainMark, @unchecked Sendable {}
