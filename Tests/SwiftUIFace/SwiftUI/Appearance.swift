// What is public here is SwiftUI's, and documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension View {
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    AppearanceObserver(content: self, onAppear: action, onDisappear: nil)
  }

  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    AppearanceObserver(content: self, onAppear: nil, onDisappear: action)
  }
}

/// A view that tells when it is on show, and when not any more.
struct AppearanceObserver<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let onAppear: (() -> Void)?
  let onDisappear: (() -> Void)?

  var parts: [Part] { [Part(content)] }
  var element: Element? { .appearance(onAppear, onDisappear) }
}

/// A view that Xcode shows beside the code.
@MainActor @preconcurrency
public protocol PreviewProvider {
  associatedtype Previews: View

  @ViewBuilder static var previews: Previews { get }
}
