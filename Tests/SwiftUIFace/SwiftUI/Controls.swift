// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A line of text.
public struct Text: View, BuiltIn {
  public typealias Body = Never

  private let text: String

  public init(_ text: String) {
    self.text = text
  }

  var element: Element? { .text(text) }
}

/// A button that performs an action when it is pressed.
public struct Button<Label: View>: View, BuiltIn {
  public typealias Body = Never

  private let action: @MainActor () -> Void
  private let label: Label

  @preconcurrency
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
  }

  @preconcurrency
  public init(_ title: String, action: @escaping @MainActor () -> Void) where Label == Text {
    self.init(action: action) { Text(title) }
  }

  @preconcurrency
  public init(_ title: String, role: ButtonRole?, action: @escaping @MainActor () -> Void)
  where Label == Text {
    self.init(action: action) { Text(title) }
  }

  @preconcurrency
  public init(_ title: String, systemImage: String, action: @escaping @MainActor () -> Void)
  where Label == SwiftUI.Label<Text, Image> {
    self.init(action: action) { SwiftUI.Label(title, systemImage: systemImage) }
  }

  var element: Element? { .button(action) }
  var parts: [Part] { [Part(label)] }
}

/// The purpose of a button, which has no effect here.
public struct ButtonRole: Equatable, Sendable {
  public static let cancel = ButtonRole()
}

/// A text field.
public struct TextField: View, BuiltIn {
  public typealias Body = Never

  private let title: String
  private let text: Binding<String>

  public init(_ title: String, text: Binding<String>) {
    self.title = title
    self.text = text
  }

  var element: Element? { .field(title, text) }
}

/// A switch that is on or off.
public struct Toggle: View, BuiltIn {
  public typealias Body = Never

  private let title: String
  private let isOn: Binding<Bool>

  public init(_ title: String, isOn: Binding<Bool>) {
    self.title = title
    self.isOn = isOn
  }

  var element: Element? { .toggle(title, isOn) }
}
