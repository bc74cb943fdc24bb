import FluxCore
import FluxUI
import Observation
import SwiftUI
import TestSupport
import Testing

@Observable @MainActor
private final class Scale {
  var factor = 1
}

@MainActor
@Suite("The number of mappings of connected views") struct MappingCountTests {
  private struct CountedView: ConnectableView {
    let maps: Recorder<Int>
    var factor = 1

    func map(state: Notebook) -> Int? {
      maps.record(state.count * factor)
      return state.count * factor
    }

    func body(props: Int) -> some View {
      Text("\(props)")
    }
  }

  private struct ScaledView: ConnectedView {
    struct Props: Equatable {
      let count: Int
    }

    let maps: Recorder<Int>
    let scale: Scale
    /// The count from which the mapping reads the scale.
    let first: Int

    func map(state: Notebook, dispatch: @escaping DispatchFunction) -> Props {
      let count = state.count < first ? state.count : state.count * scale.factor
      maps.record(count)
      return Props(count: count)
    }

    func body(props: Props) -> some View {
      Text("\(props.count)")
    }
  }

  private let maps = Recorder<Int>()

  @Test("a change is mapped once for each delivery, and not again when it is displayed")
  func changes() {
    let store = makeStore()
    let screen = Screen { CountedView(maps: maps).provideStore(store) }
    #expect(maps.takeAll() == [0])
    let dispatch = ActionDispatcher(store)
    dispatch(Increment())
    screen.update()
    #expect(maps.takeAll() == [1])
    #expect(screen.text == ["1"])
    dispatch(Increment())
    dispatch(SetTitle(title: "a"))
    dispatch(Increment())
    screen.update()
    #expect(maps.takeAll() == [2, 2, 3])
    #expect(screen.text == ["3"])
  }

  @Test("another external value is mapped once, even if a delivery has changed the props before")
  func externalValues() {
    let store = makeStore(state: Notebook(count: 1))
    let screen = Screen {
      Parent(Bodies()) { CountedView(maps: maps, factor: $0) }.provideStore(store)
    }
    maps.takeAll()
    screen.press("next")
    #expect(maps.takeAll() == [2])
    ActionDispatcher(store)(Increment())
    screen.press("next")
    #expect(maps.takeAll() == [4, 6])
    #expect(screen.text == ["next", "6"])
  }

  @Test("a mapping to props that cannot be compared runs once for each displayed change")
  func withoutComparison() {
    let store = makeStore()
    let bodies = Bodies()
    let screen = Screen {
      StoreConnector { (state: Notebook, _) in
        let _ = bodies.record("\(state.count)")
        Text("\(state.count)")
      }
      .provideStore(store)
    }
    for _ in 1...2 { ActionDispatcher(store)(Increment()) }
    screen.update()
    #expect(bodies.values == ["0", "2"])
  }

  @Test(
    "a view observes the properties that its mapping reads, even if they are first read for a delivery",
    arguments: [0, 1, 2])
  func observable(first: Int) {
    let store = makeStore()
    let scale = Scale()
    let screen = Screen { ScaledView(maps: maps, scale: scale, first: first).provideStore(store) }
    for count in 1...2 {
      ActionDispatcher(store)(Increment())
      screen.update()
      #expect(screen.text == ["\(count)"])
    }
    scale.factor = 5
    #expect(screen.isWaiting)
    screen.update()
    #expect(screen.text == ["10"])
    ActionDispatcher(store)(Increment())
    scale.factor = 6
    screen.update()
    #expect(screen.text == ["18"])
  }
}
