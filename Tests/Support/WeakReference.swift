/// A reference that does not keep its object alive, for tests of lifetimes.
///
/// Tests use it because a constant that is declared `weak` needs Swift 6.3.
package struct WeakReference<Object: AnyObject> {
  /// The object; `nil` after the object has been released.
  package private(set) weak var object: Object?

  /// Creates a reference to an object.
  package init(_ object: Object?) {
    self.object = object
  }
}
