import Foundation
import SwiftUI
import TestSupport
import Testing

private struct Greeter: App {
  var body: some Scene {
    WindowGroup { Text("hello") }
  }
}

@MainActor
@Suite("The stand-in for the windows and controls of SwiftUI") struct StandInAppTests {
  private let events = Recorder<String>()

  @Test("a screen shows the first window of a program")
  func window() {
    #expect(Screen(Greeter()).text == ["hello"])
  }

  @Test("a program stops if it runs without SwiftUI")
  func run() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { Greeter.main() }
    }
    expectOutput(of: result, contains: "Greeter cannot run without SwiftUI")
  }

  @Test("the items of a toolbar are below the content, and can be pressed")
  func toolbar() {
    let screen = Screen {
      Text("content").toolbar {
        ToolbarItemGroup(placement: .primaryAction) {
          Button("one", systemImage: "1.circle") { events.record("one") }
          Button("two", role: .cancel) { events.record("two") }
        }
      }
    }
    #expect(screen.text == ["content", "one", "two"])
    screen.press("two")
    screen.press("one")
    #expect(events.values == ["two", "one"])
  }

  @Test("a search field is above its content, and shows what was typed and removed")
  func search() {
    struct Words: View {
      @State private var text = ""

      var body: some View {
        Text("about \(text)").searchable(text: $text, prompt: "Find")
      }
    }
    let screen = Screen { Words() }
    #expect(screen.type("ab", into: "Find") == ["a", "ab"])
    #expect(screen.text == ["Find: ab", "about ab"])
    screen.clear("Find")
    #expect(screen.text == ["Find: ", "about "])
  }

  @Test("a view opens an address even if a modal view covers it")
  func address() {
    struct Numbered: Identifiable { let id: Int }
    let screen = Screen {
      Text("below")
        .sheet(item: Binding(get: { Numbered(id: 1) }, set: { _ in })) { _ in Text("above") }
        .onOpenURL { url in events.record(url.absoluteString) }
    }
    screen.open("films://7")
    #expect(events.values == ["films://7"])
  }

  @Test("a disabled button cannot be pressed, and a view within cannot enable it")
  func disabled() {
    let screen = Screen {
      Button("on") {}.disabled(false)
      Button("off") {}.disabled(true)
      VStack { Button("within") {}.disabled(false) }.disabled(true)
    }
    #expect(["on", "off", "within", "none"].filter(screen.canPress) == ["on"])
  }

  @Test("a test that presses a disabled button stops the program")
  func pressedDisabled() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { Screen { Button("off") {}.disabled(true) }.press("off") }
    }
    expectOutput(of: result, contains: "There is no button off.")
  }

  @Test("a button is pressed by the first line of its label")
  func firstLine() {
    let screen = Screen {
      Button(action: { events.record("pressed") }) {
        HStack {
          VStack(alignment: .leading) {
            Text("title").font(.headline)
            Text("subtitle").foregroundStyle(.secondary)
          }
          Spacer()
        }
        .contentShape(Rectangle())
      }
      .buttonStyle(.plain)
    }
    #expect(screen.text == ["title", "subtitle"])
    screen.press("title")
    #expect(events.values == ["pressed"])
  }

  @Test("an accessibility label replaces the content, and an image has no text")
  func labels() {
    let screen = Screen {
      Image(systemName: "heart")
      Image(systemName: "heart").accessibilityLabel("wished")
      Label("titled", systemImage: "heart")
      Text("hidden").accessibilityLabel("read")
    }
    #expect(screen.text == ["wished", "titled", "read"])
  }

  @Test("a form shows its values, and messages replace missing content")
  func messages() {
    let screen = Screen {
      Form {
        LabeledContent("year", value: "1967")
        ProgressView("loading")
      }
      .formStyle(.grouped)
      .frame(minWidth: 100)
      Group { ContentUnavailableView("none", systemImage: "heart", description: Text("at all")) }
    }
    #expect(screen.text == ["year", "1967", "loading", "none", "at all"])
  }

  @Test("an alert shows its message above its buttons")
  func alert() {
    let screen = Screen {
      Text("below").alert("title", isPresented: Binding(get: { true }, set: { _ in })) {
        Button("OK") {}
      } message: {
        Text("message")
      }
    }
    #expect(screen.text == ["below", "! title", "message", "OK"])
  }

  @Test("a refresh returns after the action of the view has returned")
  func refresh() async {
    let screen = Screen {
      NavigationStack {
        List { ForEach(["a", "b"], id: \.self) { Text($0) } }
          .refreshable { [events] in
            await Task.yield()
            events.record("refreshed")
          }
      }
    }
    #expect(screen.text == ["a", "b"])
    await screen.refresh()
    #expect(events.values == ["refreshed"])
  }
}
