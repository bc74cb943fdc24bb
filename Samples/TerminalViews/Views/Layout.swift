/// The rectangle of each view on the screen.
///
/// A view without a rectangle is invisible, and receives no keys.
package struct Layout<Name: Hashable & Sendable>: Equatable, Sendable {
  package let size: ScreenSize
  package var places: [Name: Rectangle] = [:]

  /// Creates a layout of an empty screen.
  package init(_ size: ScreenSize) {
    self.size = size
  }
}
