// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// An image, which has no text.
public struct Image: View, BuiltIn {
  public typealias Body = Never

  private let name: String

  public init(systemName: String) {
    name = systemName
  }
}

/// A title with an icon.
public struct Label<Title: View, Icon: View>: View, BuiltIn {
  public typealias Body = Never

  private let title: Title
  private let icon: Icon

  public init(_ title: String, systemImage name: String) where Title == Text, Icon == Image {
    self.title = Text(title)
    icon = Image(systemName: name)
  }

  var parts: [Part] { [Part(icon, key: "icon"), Part(title, key: "title")] }
}

/// A value with a title.
public struct LabeledContent<Label: View, Content: View>: View, BuiltIn {
  public typealias Body = Never

  private let label: Label
  private let content: Content

  public init<S: StringProtocol>(_ title: String, value: S) where Label == Text, Content == Text {
    label = Text(title)
    content = Text(String(value))
  }

  var parts: [Part] { [Part(label, key: "label"), Part(content, key: "content")] }
}

/// The progress of a task whose end is not known.
public struct ProgressView<Label: View, CurrentValueLabel: View>: View, BuiltIn {
  public typealias Body = Never

  private let label: Label

  public init(_ title: String) where Label == Text, CurrentValueLabel == EmptyView {
    label = Text(title)
  }

  var parts: [Part] { [Part(label)] }
}

/// A message in place of missing content.
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View, BuiltIn {
  public typealias Body = Never

  private let label: Label
  private let description: Description

  public init(_ title: String, systemImage name: String, description: Text? = nil)
  where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    label = SwiftUI.Label(title, systemImage: name)
    self.description = description
  }

  var parts: [Part] { [Part(label, key: "label"), Part(description, key: "description")] }
}

extension View {
  public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
    AccessibleView(content: self, label: String(label))
  }
}

/// A view whose visible text is its label, because assistive technologies read the label instead of
/// the content.
struct AccessibleView<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let label: String

  var parts: [Part] { [Part(content)] }
  var element: Element? { .label(label) }
}
