import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Services of thunks")
struct ThunkServicesTests {
  private let heard = Recorder<String>()

  private func store(
    _ middleware: @escaping Middleware<Tally>, _ services: Services = Services().with("a")
  ) -> Store<Tally> {
    Store(reducer: { (_: inout Tally, _) in }, middleware: [middleware], services: services, state: Tally())
  }

  private var recording: Thunk<Tally> {
    Thunk<Tally>(file: "App/Thunks.swift", line: 7) { [heard] dispatch, _ in
      do {
        heard.record(try dispatch.services(String.self))
      } catch {
        heard.record("\(error)")
      }
    }
  }

  @Test("a thunk finds the services of its store")
  func found() {
    store(thunkMiddleware()).dispatch(recording)
    #expect(heard.values == ["a"])
  }

  @Test("the error of a missing service names the line of the thunk")
  func missing() {
    store(thunkMiddleware(), Services()).dispatch(recording)
    #expect(
      heard.values.first?.hasPrefix("Thunk<Tally> (App/Thunks.swift:7) requires a service of type String")
        == true)
  }

  @Test("a thunk with a result finds the services of its store, and its missing service names its line")
  func result() {
    let naming = ResultThunk<Tally, String>(file: "App/Thunks.swift", line: 9) { dispatch, _ in
      do { return try dispatch.services(String.self) } catch { return "\(error)" }
    }
    #expect(store(thunkMiddleware()).dispatch(naming) == "a")
    let missing = store(thunkMiddleware(), Services()).dispatch(naming)
    #expect(missing?.contains("(App/Thunks.swift:9) requires a service of type String") == true)
  }

  @Test("a thunk of a lifted middleware finds the changed services, and other thunks do not")
  func lifted() {
    struct Whole: FluxState {
      var part = Tally()
    }
    let store = Store(
      reducer: { (_: inout Whole, _) in },
      middleware: [
        lift(thunkMiddleware(), to: { (whole: Whole) -> Tally? in whole.part }) { $0.with("b") },
        thunkMiddleware(),
      ], services: Services().with("a"), state: Whole())
    store.dispatch(recording)
    store.dispatch(
      Thunk<Whole> { [heard] dispatch, _ in heard.record((try? dispatch.services(String.self)) ?? "") })
    #expect(heard.values == ["b", "a"])
  }

  @Test("a store that a middleware creates does not change the services of the store with the middleware")
  func nestedStore() {
    let creating: Middleware<Tally> = { _, _ in
      _ = Store(
        reducer: { (_: inout Tally, _) in }, middleware: [thunkMiddleware()], services: Services().with("b"),
        state: Tally())
      return { next in next }
    }
    let store = Store(
      reducer: { (_: inout Tally, _) in }, middleware: [creating, thunkMiddleware()],
      services: Services().with("a"), state: Tally())
    store.dispatch(recording)
    #expect(heard.values == ["a"])
  }

  @Test("a thunk that needs a type receives the service of that type")
  func required() {
    store(thunkMiddleware()).dispatch(
      Thunk<Tally>(with: String.self) { [heard] _, _, text in heard.record(text) })
    #expect(heard.values == ["a"])
  }

  @Test("the dependencies of the middleware take precedence over a service of the same type")
  func dependencies() {
    store(thunkMiddleware(with: "b")).dispatch(
      Thunk<Tally>(with: String.self) { [heard] _, _, text in heard.record(text) })
    #expect(heard.values == ["b"])
  }
}
