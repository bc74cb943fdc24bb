/// Whether two values are the same for a view that contains them.
///
/// Like SwiftUI, it compares fields: by `==` if they have it, and objects by identity. Functions
/// are never the same, which is stricter than SwiftUI. Values that the renderer sets do not count
/// as differences.
func areSame(_ left: Any, _ right: Any) -> Bool {
  guard type(of: left) == type(of: right) else { return false }
  if left is any Installable { return true }
  if let left = left as? any Equatable { return isEqual(left, right) }
  if type(of: left) is AnyObject.Type { return left as AnyObject === right as AnyObject }
  let (leftMirror, rightMirror) = (Mirror(reflecting: left), Mirror(reflecting: right))
  guard let style = leftMirror.displayStyle, leftMirror.children.count == rightMirror.children.count else {
    return false
  }
  if style == .enum, leftMirror.children.isEmpty { return "\(left)" == "\(right)" }
  return zip(leftMirror.children, rightMirror.children).allSatisfy { left, right in
    left.label == right.label && areSame(left.value, right.value)
  }
}

private func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
  left == right as? Value
}
