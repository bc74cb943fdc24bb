// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension View {
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    AppearanceObserver(content: self, onAppear: action, onDisappear: nil)
  }

  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    AppearanceObserver(content: self, onAppear: nil, onDisappear: action)
  }
}

/// A view that reports when it appears and disappears.
struct AppearanceObserver<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let onAppear: (() -> Void)?
  let onDisappear: (() -> Void)?

  var parts: [Part] { [Part(content)] }
  var element: Element? { .appearance(onAppear, onDisappear) }
}

/// A view that Xcode shows next to the code.
@MainActor @preconcurrency
public protocol PreviewProvider {
  associatedtype Previews: View

  @ViewBuilder static var previews: Previews { get }
}
