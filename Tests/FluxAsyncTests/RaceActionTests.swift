import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

/// A request that is wanted until a string has arrived.
private struct Unless: AsyncRequest {
  let unless: String?
  var policy = WorkPolicy.every
  let asked = EventLog<Bool>()
  var isAsked: @Sendable () -> Void = {}

  func isWanted(in state: Shelf) -> Bool {
    asked.record(true)
    isAsked()
    return unless.map { !state.texts.contains($0) } ?? false
  }

  func perform(in context: RequestContext<Shelf>) async throws -> String { "never" }
}

@Suite("Races", .unlessItHangs)
struct RaceActionTests {
  private let service = Service()
  private let clock = ManualClock()
  private let store: Store<Shelf>

  init() {
    store = Store(reducer: shelfReducer, plugins: [.asyncWork(clock: clock)], state: Shelf())
  }

  @Test("the fastest action of a race wins, and the others are canceled", arguments: ["a", "b", "c"])
  func race(winner: String) async {
    let work = store.dispatchAsync(RaceAction(["a", "b", "c"].map { Fetch($0, from: service) }))
    await service.calls.count(atLeast: 3)
    service.answer(winner)
    await work.finished()
    #expect(store.state == Shelf(texts: [winner]))
    #expect(service.cancelled.values.sorted() == ["a", "b", "c"].filter { $0 != winner })
  }

  @Test("an action without work wins immediately: earlier actions are canceled, and later ones are skipped")
  func immediate() async {
    let work = store.dispatchAsync(
      RaceAction(Fetch("a", from: service), Arrived(text: "b"), Arrived(text: "c")))
    await work.finished()
    #expect(store.state == Shelf(texts: ["b"]))
  }

  @Test("canceling a race cancels all its running actions")
  func cancelledRace() async {
    let work = store.dispatchAsync(RaceAction(Fetch("a", from: service), Fetch("b", from: service)))
    await service.calls.count(atLeast: 2)
    work.cancel()
    await work.finished()
    #expect(service.cancelled.values.sorted() == ["a", "b"])
    #expect(store.state == Shelf())
  }

  @Test("a request that is not wanted leaves the race, and does not win it")
  func unwanted() async {
    let work = store.dispatchAsync(RaceAction(Unless(unless: nil), Fetch("a", from: service)))
    service.answer("a")
    await work.finished()
    #expect(store.state == Shelf(texts: ["a"]))
  }

  @Test("a request that turns out not to be wanted when it begins does not win")
  func unwantedLater() async {
    let held = Unless(unless: "taken", policy: .every.debounced(for: .seconds(1)))
    let work = store.dispatchAsync(RaceAction(held, Fetch("a", from: service)))
    store.dispatch(Arrived(text: "taken"))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await held.asked.count(atLeast: 2)
    service.answer("a")
    await work.finished()
    #expect(store.state.texts == ["taken", "a"])
  }

  @Test("work that its policy drops leaves the race, and does not win it")
  func dropped() async {
    let running = store.dispatchAsync(Fetch("first", from: service, .leading))
    await service.calls.count(atLeast: 1)
    let work = store.dispatchAsync(
      RaceAction(Fetch("dropped", from: service, .leading), Fetch("a", from: service, .every.keyed(by: 1))))
    service.answer("a")
    await work.finished()
    service.answer("first")
    await running.finished()
    #expect(store.state == Shelf(texts: ["a", "first"]))
  }

  @Test("a callback does not win, since its end is unknown, and is canceled when another action wins")
  func callback() async {
    let later = EventLog<DispatchFunction>()
    let work = store.dispatchAsync(RaceAction(CallingBack(later: later), Fetch("a", from: service)))
    service.answer("a")
    await work.finished()
    for dispatch in later.values { dispatch(Arrived(text: "late")) }
    #expect(store.state == Shelf(texts: ["a"]))
  }

  @Test("a race in which no action can win ends immediately, and does not cancel callbacks")
  func nobody() async {
    let later = EventLog<DispatchFunction>()
    let work = store.dispatchAsync(RaceAction(Unless(unless: nil), CallingBack(later: later)))
    #expect(!work.isRunning)
    for dispatch in later.values { dispatch(Arrived(text: "late")) }
    #expect(store.state == Shelf(texts: ["late"]))
  }

  @Test("an action that the winner's callbacks dispatch later is reduced")
  func winnersCallback() async {
    let later = EventLog<DispatchFunction>()
    let both = ActionPlan<Shelf> { [service] store in
      store.dispatch(CallingBack(later: later))
      store.dispatch(Arrived(text: try await service.call("plan")))
    }
    let work = store.dispatchAsync(RaceAction(both, Fetch("a", from: service)))
    service.answer("plan")
    await work.finished()
    for dispatch in later.values { dispatch(Arrived(text: "late")) }
    #expect(store.state.texts == ["plan", "late"])
  }

  @Test("an action that wins before all actions were sent cancels the others, too")
  func wonWhileSending() async {
    let later = EventLog<DispatchFunction>()
    let effects = store.effects
    // Not wanted, which is determined only after the previous action is done.
    let last = Unless(
      unless: nil,
      isAsked: { [service] in
        service.answer("a")
        // Waits until only the race itself is running.
        while effects.count > 1 {}
      })
    let race = RaceAction(CallingBack(later: later), Fetch("a", from: service), last)
    await withCheckedContinuation { continuation in
      _ = Worker { [store] in
        store.dispatch(race)
        continuation.resume()
      }
    }
    for dispatch in later.values { dispatch(Arrived(text: "late")) }
    #expect(store.state.texts == ["a"])
  }

  @Test("a canceled action does not win")
  func cancelledRacer() async {
    let work = store.dispatchAsync(
      RaceAction(
        Fetch("a", from: service, .every.keyed(by: "a")), Fetch("b", from: service, .every.keyed(by: "b"))))
    await service.calls.count(atLeast: 2)
    store.dispatch(CancelWork(of: Fetch.self, id: "a"))
    await othersRun()
    #expect(service.cancelled.values == ["a"])
    service.answer("b")
    await work.finished()
    #expect(store.state.texts == ["b"])
  }
  // MARK: Races within races

  @Test("The fastest action of a race and of the races within it wins", arguments: ["a", "b", "c"])
  func nested(winner: String) async {
    let race = RaceAction(
      Fetch("a", from: service), RaceAction(Fetch("b", from: service), RaceAction(Fetch("c", from: service))))
    #expect(race.actions.count == 3)
    let work = store.dispatchAsync(race)
    await service.calls.count(atLeast: 3)
    service.answer(winner)
    await work.finished()
    #expect(store.state == Shelf(texts: [winner]))
    #expect(service.cancelled.values.sorted() == ["a", "b", "c"].filter { $0 != winner })
  }

  @Test("Ten thousand nested races need no deep stack", arguments: [false, true])
  func deep(first: Bool) {
    let (levels, count) = (10_000, Shared(0))
    Worker(stackSize: 512 << 10) { [store] in
      let race = (0..<levels).reduce(RaceAction(Arrived(text: "innermost"))) { inner, _ in
        first ? RaceAction(inner, Arrived(text: "outer")) : RaceAction(Unless(unless: nil), inner)
      }
      store.dispatch(race)
      count.value = race.actions.count
    }.join()
    #expect(count.value == levels + 1)
    #expect(store.state.texts == ["innermost"])
  }
}
