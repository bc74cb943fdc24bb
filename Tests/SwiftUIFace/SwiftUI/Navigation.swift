// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A stack of views, of which only the highest is visible.
public struct NavigationStack<Data, Root: View>: View, BuiltIn, PathShowing {
  public typealias Body = Never

  private let path: Binding<Data>
  private let root: Root
  private let elements: (Data) -> [AnyHashable]
  private let withoutLast: (Data) -> Data

  public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable
  {
    self.path = path
    self.root = root()
    elements = { $0.map { AnyHashable($0) } }
    withoutLast = { Data($0.dropLast()) }
  }

  public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {
    path = Binding(get: { NavigationPath() }, set: { _ in })
    self.root = root()
    elements = { _ in [] }
    withoutLast = { $0 }
  }

  var parts: [Part] { [Part(root)] }

  func destinations(of nodes: [Node]) -> [Part] {
    let makers = nodes.flatMap(\.all).compactMap { node -> ((AnyHashable) -> (any View)?)? in
      if case .destination(let make) = node.element { make } else { nil }
    }
    return elements(path.wrappedValue).map { element in
      guard let view = makers.lazy.compactMap({ $0(element) }).first else {
        fatalError("No navigationDestination shows \(element).")
      }
      return Part(view, key: element)
    }
  }

  func goBack() {
    path.wrappedValue = withoutLast(path.wrappedValue)
  }
}

/// The path of a stack without a binding, which remains empty here.
public struct NavigationPath {
  init() {}
}

extension View {
  public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View {
    DestinationMaker(content: self, make: { ($0.base as? D).map { destination($0) } })
  }

  public func navigationTitle(_ title: String) -> some View {
    TitledView(title: title, content: self)
  }
}

struct DestinationMaker<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let make: (AnyHashable) -> (any View)?

  var parts: [Part] { [Part(content)] }
  var element: Element? { .destination(make) }
}

/// A view below its title.
struct TitledView<Content: View>: View, BuiltIn {
  typealias Body = Never

  let title: String
  let content: Content

  var parts: [Part] { [Part(content)] }
  var element: Element? { .text("# \(title)") }
}

// MARK: - Modals

extension View {
  public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    PresentingView(content: self, item: item, id: { AnyHashable($0.id) }, modal: content)
  }

  public func fullScreenCover<Item: Identifiable, Content: View>(
    item: Binding<Item?>, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    PresentingView(content: self, item: item, id: { AnyHashable($0.id) }, modal: content)
  }

  public func alert<Actions: View>(
    _ title: String, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> Actions
  ) -> some View {
    alert(title, isPresented: isPresented, actions: actions) { EmptyView() }
  }

  public func alert<Actions: View, Message: View>(
    _ title: String, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> Actions,
    @ViewBuilder message: @escaping () -> Message
  ) -> some View {
    let item = Binding<Bool?>(
      get: { @MainActor in isPresented.wrappedValue ? true : nil },
      set: { @MainActor in isPresented.wrappedValue = $0 != nil })
    return PresentingView(content: self, item: item, id: { AnyHashable($0) }) { _ in
      AlertView(title: title, message: message(), actions: actions(), isPresented: isPresented)
    }
  }
}

/// A view that another view can cover.
struct PresentingView<Content: View, Item, Modal: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let item: Binding<Item?>
  let id: (Item) -> AnyHashable
  let modal: (Item) -> Modal

  var parts: [Part] {
    let covering = item.wrappedValue.map { shown in
      Part(ModalView(content: modal(shown), close: { item.wrappedValue = nil }), key: id(shown))
    }
    return [Part(content, key: "below")] + [covering].compactMap { $0 }
  }
}

/// A view that covers other views.
struct ModalView<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let close: @MainActor () -> Void

  var parts: [Part] { [Part(content)] }
  var element: Element? { .modal(close) }
}

/// A title, a message, and buttons, which close the alert after their actions.
struct AlertView<Message: View, Actions: View>: View, BuiltIn {
  typealias Body = Never

  let title: String
  let message: Message
  let actions: Actions
  let isPresented: Binding<Bool>

  var parts: [Part] { [Part(message, key: "message"), Part(actions, key: "actions")] }
  var element: Element? { .alert(title, isPresented) }
}

// MARK: - Tabs

/// Views of which the selected one is visible.
public struct TabView<Selection: Hashable, Content: View>: View, BuiltIn {
  public typealias Body = Never

  private let selection: Binding<Selection>
  private let content: Content

  public init(
    selection: Binding<Selection>, @TabContentBuilder<Selection> content: () -> Content
  ) {
    self.selection = selection
    self.content = content()
  }

  var parts: [Part] { [Part(content)] }

  func change(_ environment: inout EnvironmentValues) {
    environment[TabSelection.self] = TabSelection(
      selected: AnyHashable(selection.wrappedValue),
      select: { if let value = $0.base as? Selection { selection.wrappedValue = value } })
  }
}

/// A view in a tab view.
public struct Tab<Value: Hashable, Content: View>: View, BuiltIn {
  public typealias Body = Never

  private let title: String
  private let value: Value
  private let content: Content

  public init(_ title: String, systemImage: String, value: Value, @ViewBuilder content: () -> Content) {
    self.title = title
    self.value = value
    self.content = content()
  }

  var parts: [Part] { [Part(content)] }
  var element: Element? { .tab(title, AnyHashable(value)) }
}

/// Combines the tabs of a closure, whose values are of one type.
@resultBuilder
public struct TabContentBuilder<Value: Hashable> {
  public static func buildExpression<Content: View>(_ tab: Tab<Value, Content>) -> Tab<Value, Content> {
    tab
  }

  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> {
    ViewBuilder.buildBlock(repeat each content)
  }
}

/// The selected tab of the innermost tab view.
struct TabSelection: EnvironmentKey {
  static var defaultValue: TabSelection? { nil }

  let selected: AnyHashable
  let select: @MainActor (AnyHashable) -> Void
}
