import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Late responses", .unlessItHangs)
struct StaleResponseTests {
  private enum Event: Hashable {
    case asks(Int)
    case answers(Int)
  }

  /// Every order in which three requests are sent in turn, and each is answered after it was sent.
  private static let orders: [[Event]] = {
    func extend(_ path: [Event], asked: Int) -> [[Event]] {
      let waiting = (0..<asked).filter { !path.contains(.answers($0)) }
      if asked == 3, waiting.isEmpty { return [path] }
      let answers = waiting.flatMap { extend(path + [.answers($0)], asked: asked) }
      return answers + (asked < 3 ? extend(path + [.asks(asked)], asked: asked + 1) : [])
    }
    return extend([], asked: 0)
  }()

  @Test(
    "all orders of six events are tested in which answers follow their questions and questions are in order")
  func count() {
    #expect(Self.orders.count == 720 / 8 / 6)
  }

  @Test(
    "an older response never overwrites a newer one, in any order of three overlapping responses",
    arguments: [true, false])
  func stale(heedsCancellation: Bool) async {
    for order in Self.orders {
      let service = Service(heedsCancellation: heedsCancellation)
      let over = (0..<3).map { _ in EventLog<String>() }
      let store = Store(reducer: shelfReducer, state: Shelf())
      var newest = -1
      for event in order {
        let before = store.state
        switch event {
        case .asks(let number):
          newest = number
          store.dispatch(Fetch("\(number)", from: service, .latest, over: over[number]))
          await service.calls.count(atLeast: number + 1)
        case .answers(let number):
          service.answer("\(number)")
          await over[number].count(atLeast: 1)
          if number == newest {
            #expect(store.state.texts == before.texts + ["\(number)"], "\(order)")
          } else {
            #expect(store.state == before, "\(order)")
          }
        }
      }
      #expect(store.state.texts.last == "2", "\(order)")
      #expect(store.state.failures.isEmpty)
    }
  }

  /// Dispatches on a separate thread, which the test may block.
  private struct Slow: TaskAction {
    let text: String
    let begun: EventLog<String>
    var policy: WorkPolicy { .latest }

    func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
      begun.record(text)
      await withCheckedContinuation { continuation in
        _ = Worker {
          dispatch(Arrived(text: text))
          continuation.resume()
        }
      }
    }
  }

  @Test("the newest work begins after an action that the older work is dispatching is reduced, on any thread")
  func inFlight() async {
    let (inside, door) = (EventLog<Bool>(), Gate())
    let begun = EventLog<String>()
    let holding: Middleware<Shelf> = { _, _ in
      { next in
        { action in
          if let action = action as? Arrived, action.text == "old" {
            inside.record(true)
            door.wait()
          }
          next(action)
        }
      }
    }
    let store = Store(reducer: shelfReducer, middleware: [holding], state: Shelf())
    let old = store.dispatchAsync(Slow(text: "old", begun: begun))
    await inside.count(atLeast: 1)
    let new = store.dispatchAsync(Slow(text: "new", begun: begun))
    for _ in 1...100 { await Task.yield() }
    #expect(begun.values == ["old"])
    door.open()
    await old.finished()
    await new.finished()
    #expect(store.state.texts == ["old", "new"])
  }
}
