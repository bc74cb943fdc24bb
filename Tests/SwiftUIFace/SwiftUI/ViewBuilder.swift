// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Combines the views of a closure into one view.
@resultBuilder
public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }

  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> {
    var views: [any View] = []
    for view in repeat each content { views.append(view) }
    return TupleView(views)
  }

  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> _ConditionalContent<First, Second> {
    _ConditionalContent(key: "first", first)
  }

  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> _ConditionalContent<First, Second> {
    _ConditionalContent(key: "second", second)
  }
}

/// No view.
public struct EmptyView: View, BuiltIn {
  public typealias Body = Never

  public nonisolated init() {}
}

/// Several views.
public struct TupleView<T> {
  private let views: [any View]

  init(_ views: [any View]) {
    self.views = views
  }
}

extension TupleView: View, BuiltIn {
  public typealias Body = Never

  var parts: [Part] { views.enumerated().map { Part($1, key: $0) } }
}

/// One of two views.
public struct _ConditionalContent<First: View, Second: View> {
  private let key: String
  private let view: any View

  init(key: String, _ view: any View) {
    self.key = key
    self.view = view
  }
}

extension _ConditionalContent: View, BuiltIn {
  public typealias Body = Never

  var parts: [Part] { [Part(view, key: key)] }
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
}

extension Optional: BuiltIn where Wrapped: View {
  var parts: [Part] { map { [Part($0)] } ?? [] }
}
