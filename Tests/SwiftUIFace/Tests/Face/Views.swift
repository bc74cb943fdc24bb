import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

/// The bodies that have run, in order.
typealias Bodies = Recorder<String>

/// A note in SwiftDux's form, with an external value.
struct NoteView: ConnectableView {
  let bodies: Bodies
  var id: String

  func map(state: Notebook) -> Note? {
    state.notes[id]
  }

  func body(props: Note) -> some View {
    let _ = bodies.record("note \(id)")
    Text(props.text)
  }
}

/// The count in SwiftUIFlux's form, with props that can be compared.
struct CountView: ConnectedView {
  struct Props: Equatable {
    let count: Int
  }

  let bodies: Bodies
  var factor = 1

  func map(state: Notebook, dispatch: @escaping DispatchFunction) -> Props {
    Props(count: state.count * factor)
  }

  func body(props: Props) -> some View {
    let _ = bodies.record("count")
    Text("\(props.count)")
  }
}

/// The title in SwiftUIFlux's form, with props that cannot be compared, of any state that has a
/// title.
struct TitleView: ConnectedView {
  struct Props {
    let title: String
    let clear: () -> Void
  }

  let bodies: Bodies

  func map(state: any HasTitle, dispatch: @escaping DispatchFunction) -> Props {
    Props(title: state.title) { dispatch(SetTitle(title: "")) }
  }

  func body(props: Props) -> some View {
    let _ = bodies.record("title")
    Text(props.title)
    Button("clear") { props.clear() }
  }
}

/// A protocol to which the state of a store may conform.
protocol HasTitle: Sendable {
  var title: String { get }
}

extension Notebook: HasTitle {}

/// A view with its own number, which each press of its button increases.
struct Parent<Content: View>: View {
  let bodies: Bodies
  let content: (Int) -> Content
  @State private var number = 1

  init(_ bodies: Bodies, @ViewBuilder content: @escaping (Int) -> Content) {
    self.bodies = bodies
    self.content = content
  }

  var body: some View {
    let _ = bodies.record("parent")
    Button("next") { number += 1 }
    content(number)
  }
}

/// Expects an ended process to have written a text to standard error.
func expectOutput(
  of result: ExitTest.Result?, contains text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(output.contains(text), "output: \(output)", sourceLocation: sourceLocation)
}
