// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// Views that receive a text, an address, or a gesture.

extension View {
  public func searchable<S: StringProtocol>(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S
  ) -> some View {
    SearchableView(content: self, prompt: String(prompt), text: text)
  }

  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
    AddressOpener(content: self, action: action)
  }

  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
    RefreshableView(content: self, action: action)
  }
}

/// A view that the user refreshes with a gesture.
struct RefreshableView<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let action: @Sendable () async -> Void

  var parts: [Part] { [Part(content)] }
  var element: Element? { .refresher(action) }
}

/// The place of a search field, which has no effect here.
public struct SearchFieldPlacement: Sendable {
  public static let automatic = SearchFieldPlacement()
}

/// A view below a search field.
struct SearchableView<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let prompt: String
  let text: Binding<String>

  var parts: [Part] { [Part(content)] }
  var element: Element? { .field(prompt, text) }
}

/// A view that opens addresses.
struct AddressOpener<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let action: (URL) -> Void

  var parts: [Part] { [Part(content)] }
  var element: Element? { .opener(action) }
}
