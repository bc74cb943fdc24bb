// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension View {
  public func disabled(_ disabled: Bool) -> some View {
    DisabledView(content: self, isDisabled: disabled)
  }
}

/// A view whose controls the user can operate or not.
struct DisabledView<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let isDisabled: Bool

  var parts: [Part] { [Part(content)] }

  func change(_ environment: inout EnvironmentValues) {
    // A view within a disabled view remains disabled.
    if isDisabled { environment[EnabledKey.self] = false }
  }
}

struct EnabledKey: EnvironmentKey {
  static var defaultValue: Bool { true }
}
