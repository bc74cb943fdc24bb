// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// Modifiers that change the style or the layout of a view, which have no effect here.

extension View {
  public func font(_ font: Font?) -> some View { StyledView(content: self) }

  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { StyledView(content: self) }

  public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { StyledView(content: self) }

  public func formStyle<S: FormStyle>(_ style: S) -> some View { StyledView(content: self) }

  public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View {
    StyledView(content: self)
  }

  public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> some View {
    StyledView(content: self)
  }
}

/// A view with a style.
struct StyledView<Content: View>: View, BuiltIn {
  typealias Body = Never

  let content: Content

  var parts: [Part] { [Part(content)] }
}

/// A font.
public struct Font: Hashable, Sendable {
  public static let headline = Font()
}

/// A color or a pattern.
public protocol ShapeStyle: Sendable {}

/// The style of a view that is less important than another view.
public struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

/// The appearance and the behavior of a button.
@MainActor @preconcurrency
public protocol PrimitiveButtonStyle {}

/// A button without a border.
public struct PlainButtonStyle: PrimitiveButtonStyle {
  public init() {}
}

/// A button with a border.
public struct BorderedButtonStyle: PrimitiveButtonStyle {
  public init() {}
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
  public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

/// The appearance of a form.
@MainActor @preconcurrency
public protocol FormStyle {}

/// A form with groups of rows.
public struct GroupedFormStyle: FormStyle {
  public init() {}
}

extension FormStyle where Self == GroupedFormStyle {
  public static var grouped: GroupedFormStyle { GroupedFormStyle() }
}

/// A shape.
public protocol Shape: Sendable, View {}

/// A rectangle.
public struct Rectangle: Shape, BuiltIn {
  public typealias Body = Never

  public init() {}
}
