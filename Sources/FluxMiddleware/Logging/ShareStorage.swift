/// Returns whether two collections share their storage, and are therefore equal.
///
/// O(1).
///
/// Use this function for collections that consist of a single reference, such as dictionaries
/// and sets. These collections do not provide access to the address of their elements.
func shareStorage<Collection>(_ first: Collection, _ second: Collection) -> Bool {
  withUnsafeBytes(of: first) { first in
    withUnsafeBytes(of: second) { second in first.elementsEqual(second) }
  }
}
