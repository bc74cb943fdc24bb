import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("Lifetimes of captured values in plug-ins and middleware")
struct ClosureLifetimeTests {
  private static let keepers = [
    Keeper("ActionFilter") { touch in
      let filter = ActionFilter.where { _ in
        touch()
        return true
      }
      return [filter, used(makeStore(printActionMiddleware(printer: { _ in }, filter: filter)))]
    },
    Keeper("LogSink") { touch in
      let sink = LogSink { _ in touch() }
      return [sink, used(makeStore(loggingMiddleware(sink: sink)))]
    },
    Keeper("LogSink, buffered", endsLater: true) { touch in
      let sink = LogSink { _ in touch() }.buffered()
      let store = used(makeStore(loggingMiddleware(sink: sink)))
      _ = await resultOfThread { sink.flush() }
      return [sink, store]
    },
    Keeper("HistoryGrouping") { touch in
      let grouping = HistoryGrouping { _, _ in
        touch()
        return true
      }
      return [grouping, used(makeStore(plugins: [History<Tally>(grouping: grouping).plugin]))]
    },
    Keeper("HistoryNoting") { touch in
      let noting = HistoryNoting(origin: { _ in
        touch()
        return nil
      })
      return [noting, used(makeStore(plugins: [History<Tally>(noting: noting).plugin]))]
    },
    Keeper("Redaction") { touch in
      let redaction = Redaction { _ in
        touch()
        return false
      }
      let difference = StateDifference(from: Kept(), to: Kept(sum: 1), redacting: redaction)
      return [redaction, difference]
    },
    Keeper("Migration") { touch in
      let migration = Migration(from: 0) { _ in touch() }
      let storage = InMemoryStorage()
      for version in 0...1 {
        let persistence = Persistence<Kept, Kept>(
          in: storage, version: version, migrations: version == 0 ? [] : [migration], onProblem: { _ in })
        let kept = persistence.restored(Kept())
        let store = Store(
          reducer: { (kept: inout Kept, _: any Action) in kept.sum += 1 }, plugins: [persistence.plugin],
          state: kept)
        store.dispatch(Add())
        #expect(throws: Never.self) { try persistence.flush() }
      }
      return [migration, storage]
    },
    Keeper("MiddlewareContext") { touch in
      let context = MiddlewareContext<Tally>(
        dispatch: { _ in touch() },
        getState: {
          touch()
          return nil
        })
      context.dispatch(Add())
      return [context]
    },
    Keeper("DynamicMiddleware") { touch in
      let dynamic = DynamicMiddleware<Tally>()
      dynamic.add { _, _ in
        { next in
          { action in
            touch()
            next(action)
          }
        }
      }
      return [dynamic, used(makeStore(dynamic.middleware))]
    },
    Keeper("Thunk") { touch in
      let thunk = Thunk<Tally> { _, _ in touch() }
      let store = makeStore(thunkMiddleware())
      store.dispatch(thunk)
      return [thunk, store]
    },
  ]

  private struct Kept: FluxState, Codable {
    var sum = 0
  }

  @Test(
    "a captured value lives as long as the object made from the closure, and the store that uses it",
    .unlessItHangs, arguments: keepers)
  func release(keeper: Keeper) async {
    await keeper.expectRelease()
  }

  @Test("a kept ThunkDispatch does not keep the store or its chain alive")
  func thunkDispatch() {
    let tracker = LifetimeTracker()
    let kept = Recorder<ThunkDispatch<Tally>>()
    do {
      let tracked = tracker.make()
      let store = makeStore(
        thunkMiddleware(),
        { _, _ in
          { next in
            { action in
              tracked.touch()
              next(action)
            }
          }
        })
      store.dispatch(Thunk<Tally> { dispatch, _ in kept.record(dispatch) })
      kept.values.first?(Add())
      #expect(store.state.sum == 1)
      #expect(tracker.alive == 1)
    }
    #expect(tracker.alive == 0)
    kept.values.first?(Add())
  }

  private static func used(_ store: Store<Tally>) -> Store<Tally> {
    for _ in 0..<2 { store.dispatch(Add()) }
    return store
  }
}
