// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Combine

/// An object that enclosing views provide for all views within, and whose changes run the body of
/// the view again.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
  private let link = Link<ObjectType>()

  public init() {}

  @MainActor public var wrappedValue: ObjectType {
    guard let object = link.value else {
      fatalError(
        "No ObservableObject of type \(ObjectType.self) found. A View.environmentObject(_:) may be missing.")
    }
    return object
  }
}

extension EnvironmentObject: Installable {
  func install(at path: String, in node: Node) {
    link.value = node.observe(ObjectType.self)
  }
}

private struct ObjectKey<Object: ObservableObject>: EnvironmentKey {
  static var defaultValue: Object? { nil }
}

extension EnvironmentValues {
  func object<Object: ObservableObject>(_ type: Object.Type) -> Object? {
    self[ObjectKey<Object>.self]
  }
}

extension View {
  public func environmentObject<Object: ObservableObject>(_ object: Object) -> some View {
    ObjectWriter(content: self, object: object)
  }
}

/// A view with an object that is provided for it and all views within.
struct ObjectWriter<Content: View, Object: ObservableObject>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let object: Object

  var parts: [Part] { [Part(content)] }

  func change(_ environment: inout EnvironmentValues) {
    environment[ObjectKey<Object>.self] = object
  }
}
