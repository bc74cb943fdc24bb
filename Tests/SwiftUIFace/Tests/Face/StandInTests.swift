import Combine
import Observation
import SwiftUI
import TestSupport
import Testing

@Observable @MainActor
private final class Weather {
  var temperature = 20
  var wind = 3
}

private final class Clock: ObservableObject {
  @Published var hour = 0
}

private struct Color: EnvironmentKey {
  static let defaultValue = "red"
}

extension EnvironmentValues {
  fileprivate var color: String {
    get { self[Color.self] }
    set { self[Color.self] = newValue }
  }

  fileprivate var shape: String {
    get { self[Shape.self] }
    set { self[Shape.self] = newValue }
  }
}

private struct Shape: EnvironmentKey {
  static let defaultValue = "round"
}

/// A view with a state, a part of the environment, and a name.
private struct Counter: View {
  let bodies: Bodies
  var name = "counter"
  @State private var count = 0
  @Environment(\.color) private var color

  var body: some View {
    let _ = bodies.record(name)
    Text("\(name) \(count) \(color)")
    Button("\(name)+") { count += 1 }
  }
}

@MainActor
@Suite("The stand-in for SwiftUI") struct StandInTests {
  private let bodies = Bodies()

  @Test("a state belongs to a position in the tree, and not to the view value")
  func statesByPlace() {
    let screen = Screen {
      Parent(bodies) { number in
        Counter(bodies: bodies, name: "a\(number)")
        Counter(bodies: bodies, name: "b")
      }
    }
    screen.press("a1+")
    screen.press("next")
    screen.press("a2+")
    screen.press("b+")
    #expect(screen.text.filter { $0.contains("red") } == ["a2 2 red", "b 1 red"])
  }

  @Test("a state starts again when its view was removed, and when another branch is shown")
  func statesOfBranches() {
    let screen = Screen {
      Parent(bodies) { number in
        if number == 1 {
          Counter(bodies: bodies)
        } else {
          Counter(bodies: bodies)
        }
        if number != 2 { Counter(bodies: bodies, name: "other") }
      }
    }
    screen.press("counter+")
    screen.press("other+")
    screen.press("next")
    #expect(screen.text.filter { $0.contains("red") } == ["counter 0 red"])
    screen.press("counter+")
    screen.press("next")
    #expect(screen.text.filter { $0.contains("red") } == ["counter 1 red", "other 0 red"])
  }

  @Test("a body runs again for another value, and for a state or a part of the environment that it reads")
  func bodiesThatRun() {
    let screen = Screen {
      Parent(bodies) { number in
        Counter(bodies: bodies).environment(\.color, number < 3 ? "green" : "blue")
        Counter(bodies: bodies, name: "other").environment(\.shape, "\(number)")
      }
    }
    bodies.takeAll()
    screen.press("counter+")
    #expect(bodies.takeAll() == ["counter"])
    screen.press("next")
    #expect(bodies.takeAll() == ["parent"])
    screen.press("next")
    #expect(bodies.takeAll() == ["parent", "counter"])
    #expect(screen.text.filter { $0.hasPrefix("counter ") } == ["counter 1 blue"])
  }

  @Test("a body runs again when an observable property that it has read changes")
  func observation() {
    struct Temperature: View {
      let weather: Weather
      let bodies: Bodies

      var body: some View {
        let _ = bodies.record("temperature")
        Text("\(weather.temperature)")
      }
    }
    let weather = Weather()
    let screen = Screen {
      Parent(bodies) { _ in Temperature(weather: weather, bodies: bodies) }
    }
    bodies.takeAll()
    weather.wind = 4
    #expect(!screen.isWaiting)
    for temperature in [21, 22] {
      weather.temperature = temperature
      #expect(screen.isWaiting)
      screen.update()
      #expect(screen.text == ["next", "\(temperature)"])
    }
    #expect(bodies.takeAll() == ["temperature", "temperature"])
  }

  @Test("a body runs again when an environment object has changed, and not for a previous object")
  func environmentObjects() {
    struct Hour: View {
      @EnvironmentObject var clock: Clock
      let bodies: Bodies

      var body: some View {
        let _ = bodies.record("hour")
        Text("\(clock.hour)")
      }
    }
    let clocks = [Clock(), Clock()]
    let screen = Screen {
      Parent(bodies) { number in Hour(bodies: bodies).environmentObject(clocks[number / 3]) }
    }
    screen.press("next")
    #expect(bodies.takeAll() == ["parent", "hour", "parent"])
    clocks[0].hour = 1
    screen.update()
    #expect(screen.text == ["next", "1"])
    screen.press("next")
    #expect(screen.text == ["next", "0"])
    clocks[0].hour = 2
    #expect(!screen.isWaiting)
    clocks[1].hour = 3
    screen.update()
    #expect(screen.text == ["next", "3"])
  }

  @Test("views appear when they show something, and disappear when they show nothing anymore")
  func appearing() {
    let events = Recorder<String>()
    let screen = Screen {
      Parent(bodies) { number in
        VStack { if number == 2 { Text("\(number)") } }
          .onAppear { events.record("appears") }
          .onDisappear { events.record("disappears") }
        Text("always").onAppear { events.record("always") }
      }
    }
    #expect(events.takeAll() == ["always"])
    screen.press("next")
    #expect(events.takeAll() == ["appears"])
    screen.press("next")
    #expect(events.takeAll() == ["disappears"])
  }

  @Test("a modifier has its own states and its own environment")
  func modifiers() {
    struct Counted: ViewModifier {
      @State private var count = 0
      @Environment(\.color) private var color

      func body(content: Content) -> some View {
        Text("\(count) \(color)")
        Button("count") { count += 1 }
        content.environment(\.color, "white")
      }
    }
    let screen = Screen { Counter(bodies: bodies).modifier(Counted()) }
    bodies.takeAll()
    screen.press("count")
    #expect(screen.text == ["1 red", "count", "counter 0 white", "counter+"])
    #expect(bodies.takeAll() == [])
  }

  @Test("a dynamic property is updated before each run of the body, after the properties within were set")
  func updates() {
    @MainActor
    struct Colored: DynamicProperty {
      let updates: Bodies
      @Environment(\.color) private var color

      nonisolated func update() {
        MainActor.assumeIsolated { updates.record(color) }
      }
    }
    struct Updated: View {
      let bodies: Bodies
      let colored: Colored

      var body: some View { Text("\(bodies.takeAll())") }
    }
    let screen = Screen {
      Parent(Bodies()) { number in
        Updated(bodies: bodies, colored: Colored(updates: bodies))
          .environment(\.color, number == 1 ? "green" : "blue")
      }
    }
    #expect(screen.text == ["next", #"["green"]"#])
    screen.press("next")
    #expect(screen.text == ["next", #"["blue"]"#])
    screen.press("next")
    #expect(screen.text == ["next", #"["blue"]"#], "the body does not run again")
    #expect(bodies.count == 0)
  }

  @Test("changing a state while a body runs stops the program")
  func changingInBody() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        struct Wrong: View {
          @State private var count = 0

          var body: some View {
            Text("\(count)")
            let _ = count += 1
          }
        }
        _ = Screen { Wrong() }
      }
    }
    expectOutput(of: result, contains: "Wrong: changed while views are being updated")
  }

  @Test("views that never settle stop the program, and so does a test that presses a missing button")
  func restless() async {
    let restless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        struct Restless: View {
          @State private var count = 0

          var body: some View {
            if count.isMultiple(of: 2) {
              Text("even").onAppear { count += 1 }
            } else {
              Text("odd").onAppear { count += 1 }
            }
          }
        }
        _ = Screen { Restless() }
      }
    }
    expectOutput(of: restless, contains: "The views do not come to rest")
    let absent = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { Screen { Text("text") }.press("OK") }
    }
    expectOutput(of: absent, contains: #"There is no button OK. There is: ["text"]"#)
  }
}
