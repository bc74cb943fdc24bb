import FluxCore
import FluxMiddleware
import TestSupport
import Testing

/// Appends a string to each name that it passes on.
private func adding(_ suffix: String) -> Middleware<Person> {
  transformActions(of: SetName.self) { _, action in SetName(name: action.name + suffix) }
}

@Suite(
  "ReSwift: StoreMiddleware",
  .cases(of: "ReSwift/ReSwift", "ReSwiftTests/StoreMiddlewareTests.swift", at: "11f0a2e4", count: 4))
struct StoreMiddlewareTests {
  @Test(
    "middleware may change an action before it passes the action on, in the order of the chain", .holds(1))
  func changing() {
    let store = personStore(adding(" first"), adding(" second"))
    store.dispatch(SetName(name: "Grace"))
    #expect(store.state.name == "Grace first second")
  }

  @Test("an action that a middleware dispatches passes through the earlier middleware, too", .holds(2))
  func dispatching() {
    let namingByAge: Middleware<Person> = { dispatch, _ in
      { next in
        { action in
          if let age = (action as? SetAge)?.age { dispatch(SetName(name: "\(age)")) }
          next(action)
        }
      }
    }
    let store = personStore(adding(" first"), adding(" second"), namingByAge)
    store.dispatch(SetAge(age: 10))
    #expect(store.state.name == "10 first second")
    #expect(store.state.age == 10)
  }

  @Test("a middleware reads the state, and may pass on another action than it received", .holds(3))
  func reading() {
    let keepingAda: Middleware<Person> = { dispatch, getState in
      { next in
        { action in
          if getState()?.name == "Ada", (action as? SetName)?.name != "Countess" {
            dispatch(SetName(name: "Countess"))
            next(Unknown())
          } else {
            next(action)
          }
        }
      }
    }
    let store = personStore(keepingAda)
    store.dispatch(SetName(name: "does not get through"))
    #expect(store.state.name == "Countess")
  }

  @Test(
    "a dynamic middleware adds middleware to an existing store, and removes it",
    .differs(
      4,
      because: """
        The middleware list of a ReSwift store can be changed, after which the chain is built again. The \
        chain of a Flux store does not change, so dispatch functions that were obtained earlier remain \
        valid.
        """))
  func changingLater() {
    let dynamic = DynamicMiddleware<Person>()
    let store = personStore(dynamic.middleware)
    let heard = Recorder<String>()
    let id = dynamic.add(noting(in: heard))
    store.dispatch(Unknown())
    #expect(heard.takeAll() == ["Unknown"])
    dynamic.remove(id)
    store.dispatch(Unknown())
    #expect(heard.values.isEmpty)
  }
}
