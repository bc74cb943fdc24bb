// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// Views in a column.
public struct VStack<Content: View>: View, BuiltIn {
  public typealias Body = Never

  private let content: Content

  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {
    self.content = content()
  }

  var parts: [Part] { [Part(content)] }
}

/// Views in a line.
public struct HStack<Content: View>: View, BuiltIn {
  public typealias Body = Never

  private let content: Content

  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {
    self.content = content()
  }

  var parts: [Part] { [Part(content)] }
}

/// The alignment of the views in a column, which has no effect here.
public struct HorizontalAlignment: Equatable, Sendable {
  public static let center = HorizontalAlignment()
  public static let leading = HorizontalAlignment()
}

/// The alignment of the views in a line, which has no effect here.
public struct VerticalAlignment: Equatable, Sendable {
  public static let center = VerticalAlignment()
}

/// A flexible space.
public struct Spacer: View, BuiltIn {
  public typealias Body = Never

  public init(minLength: CGFloat? = nil) {}
}

/// Views that other views treat as one view.
public struct Group<Content> {
  private let content: Content
}

extension Group: View, BuiltIn where Content: View {
  public typealias Body = Never

  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  var parts: [Part] { [Part(content)] }
}

/// Controls for settings.
public struct Form<Content: View>: View, BuiltIn {
  public typealias Body = Never

  private let content: Content

  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  var parts: [Part] { [Part(content)] }
}

/// The alignment of overlapping views, which has no effect here.
public enum Alignment: Sendable {
  case center, bottom
}

/// Overlapping views.
public struct ZStack<Content: View>: View, BuiltIn {
  public typealias Body = Never

  private let content: Content

  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.content = content()
  }

  var parts: [Part] { [Part(content)] }
}

/// Rows.
public struct List<Content: View>: View, BuiltIn {
  public typealias Body = Never

  private let content: Content

  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  var parts: [Part] { [Part(content)] }
}

/// Views made from a collection, whose order the user may change.
@MainActor @preconcurrency
public protocol DynamicViewContent: View {
  associatedtype Data: Collection

  var data: Data { get }
}

extension DynamicViewContent {
  public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent {
    EditableContent(content: self, onMove: action, onDelete: nil)
  }

  public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
    EditableContent(content: self, onMove: nil, onDelete: action)
  }
}

/// A view for each element of a collection, which keeps its identity while the id is the same.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: DynamicViewContent,
  BuiltIn
{
  public typealias Body = Never

  public let data: Data
  private let id: (Data.Element) -> ID
  private let content: (Data.Element) -> Content

  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {
    self.data = data
    self.id = { $0.id }
    self.content = content
  }

  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.id = { $0[keyPath: id] }
    self.content = content
  }

  var parts: [Part] { data.map { Part(content($0), key: id($0)) } }
}

/// Views made from a collection, with the closures that change it.
struct EditableContent<Content: DynamicViewContent>: DynamicViewContent, BuiltIn {
  typealias Body = Never

  let content: Content
  let onMove: ((IndexSet, Int) -> Void)?
  let onDelete: ((IndexSet) -> Void)?

  var data: Content.Data { content.data }
  var parts: [Part] { [Part(content)] }
  var element: Element? { .edits(onMove, onDelete) }
}
