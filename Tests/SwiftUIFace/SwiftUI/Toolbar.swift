// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension View {
  public func toolbar<Content: ToolbarContent>(
    @ToolbarContentBuilder content: () -> Content
  ) -> some View {
    let items = (content() as? any ToolbarParts)?.parts ?? []
    return ToolbarView(content: self, items: items)
  }
}

/// The items of a toolbar.
@MainActor @preconcurrency
public protocol ToolbarContent {
  associatedtype Body: ToolbarContent

  @ToolbarContentBuilder @MainActor @preconcurrency var body: Body { get }
}

extension ToolbarContent where Body == Never {
  /// Stops the program: a toolbar handles these items itself.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: ToolbarContent {}

/// Combines the items of a closure, which can contain one item or group here.
@resultBuilder
public struct ToolbarContentBuilder {
  public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content { content }

  public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> Content { content }
}

/// The place of an item in a toolbar, which has no effect here.
public struct ToolbarItemPlacement: Sendable {
  public static let primaryAction = ToolbarItemPlacement()
  public static let confirmationAction = ToolbarItemPlacement()
}

/// An item of a toolbar.
public struct ToolbarItem<ID, Content: View>: ToolbarContent, ToolbarParts {
  public typealias Body = Never

  private let content: Content

  public init(placement: ToolbarItemPlacement, @ViewBuilder content: () -> Content) where ID == () {
    self.content = content()
  }

  var parts: [Part] { [Part(content)] }
}

/// Several items of a toolbar.
public struct ToolbarItemGroup<Content: View>: ToolbarContent, ToolbarParts {
  public typealias Body = Never

  private let content: Content

  public init(placement: ToolbarItemPlacement, @ViewBuilder content: () -> Content) {
    self.content = content()
  }

  var parts: [Part] { [Part(content)] }
}

/// Items whose views a toolbar shows.
@MainActor
protocol ToolbarParts {
  var parts: [Part] { get }
}

/// A view above the items of its toolbar.
struct ToolbarView<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let items: [Part]

  var parts: [Part] {
    [Part(content, key: "content")] + items.enumerated().map { Part($1.view, key: $0) }
  }
}
