// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// Views in a column.
public struct VStack<Content: View>: View, BuiltIn {
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
