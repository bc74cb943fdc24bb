import FluxCore
import TestSupport
import Testing

// A `withState` closure that touches another store: two threads that do so in opposite orders
// would wait for each other forever.

@Suite("A withState closure that touches another store stops the program")
struct TwoStoreMisuseTests {
  @Test("withState of another store")
  func withState() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Store<Number>.makeEmpty(), Store<Number>.makeEmpty())
      first.withState { _ in second.withState { _ in } }
    }
    expect(
      result, says: "withState was called inside a withState closure of another store.",
      "Two threads that do this in opposite orders would deadlock.",
      "Copy the values that you need out of the closure first.")
  }

  @Test("withState of two stores in opposite orders on two threads")
  func oppositeOrders() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Store<Number>.makeEmpty(), Store<Number>.makeEmpty())
      let (holdsFirst, holdsSecond) = (Gate(), Gate())
      let worker = Worker {
        second.withState { _ in
          holdsSecond.open()
          holdsFirst.wait()
          first.withState { _ in }
        }
      }
      first.withState { _ in
        holdsFirst.open()
        holdsSecond.wait()
        second.withState { _ in }
      }
      worker.join()
    }
    expect(result, says: "withState was called inside a withState closure of another store.")
  }

  @Test("a read of another store's state")
  func read() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Store<Number>.makeEmpty(), Store<Number>.makeEmpty())
      first.withState { _ in _ = second.state }
    }
    expect(result, says: "the store's state was read inside a withState closure of another store.")
  }

  @Test("a subscription to another store")
  func subscribe() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Store<Number>.makeEmpty(), Store<Number>.makeEmpty())
      first.withState { _ in _ = second.subscribe { _ in } }
    }
    expect(result, says: "subscribe was called inside a withState closure of another store.")
  }

  @Test("another store can be read before and after a withState call, and after its closure has thrown")
  func afterwards() {
    struct Trouble: Error {}
    let (first, second) = (Store<Number>.makeEmpty(), Store<Number>.makeEmpty())
    #expect(second.withState { $0.value } == 0)
    #expect(throws: Trouble.self) { try first.withState { _ in throw Trouble() } }
    #expect(second.withState { $0.value } == 0)
    #expect(first.withState { $0.value } == 0)
  }

  @Test("a withState closure on one thread does not prevent other threads from reading other stores")
  func otherThreads() {
    let (first, second) = (Store<Number>.makeEmpty(), Store<Number>.makeEmpty())
    let read = first.withState { _ in
      let read = Recorder<Int>()
      onAnotherThread { read.record(second.withState { $0.value }) }
      return read.values
    }
    #expect(read == [0])
  }
}

private struct Number: FluxState {
  var value = 0
}

extension Store where State == Number {
  fileprivate static func makeEmpty() -> Store {
    Store(reducer: { (_: inout Number, _: any Action) in }, state: Number())
  }
}
