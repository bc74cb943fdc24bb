// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// SwiftUI's `View`: isolated to the main actor, like every type that conforms to it in its own
/// declaration.
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View

  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension View where Body == Never {
  /// Stops the program: the renderer handles these views itself.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: View {
  public typealias Body = Never

  /// Stops the program: no value of the type exists.
  public var body: Never { fatalError("There is no value of Never") }
}

/// A view whose type is unknown.
public struct AnyView: View, BuiltIn {
  public typealias Body = Never

  private let view: any View

  public init(_ view: some View) {
    self.view = view
  }

  var parts: [Part] { [Part(view)] }
}

/// Changes a view from outside.
@MainActor @preconcurrency
public protocol ViewModifier {
  associatedtype Body: View

  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body

  typealias Content = _ViewModifier_Content<Self>
}

extension ViewModifier where Body == Never {
  /// Stops the program: such modifiers exist only in SwiftUI.
  public func body(content: Content) -> Never { fatalError("\(Self.self) has no body") }
}

/// The view that a modifier is applied to.
public struct _ViewModifier_Content<Modifier: ViewModifier>: View, BuiltIn {
  public typealias Body = Never

  let content: any View

  var parts: [Part] { [Part(content)] }
}

/// A view with the modifier that is applied to it.
public struct ModifiedContent<Content: View, Modifier: ViewModifier>: View {
  let content: Content
  let modifier: Modifier

  public var body: Modifier.Body { modifier.body(content: _ViewModifier_Content(content: content)) }
}

extension View {
  public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
    ModifiedContent(content: self, modifier: modifier)
  }
}
