/// Where each view is on the screen.
///
/// One that has no place is not seen, and takes no keys.
package struct Layout<Name: Hashable & Sendable>: Equatable, Sendable {
  package let size: ScreenSize
  package var places: [Name: Rectangle] = [:]

  /// Creates a layout of an empty screen.
  package init(_ size: ScreenSize) {
    self.size = size
  }
}
