/// Returns whether two collections share their storage, and are therefore equal.
///
/// O(1).
///
/// Use the function for collections whose value is a single reference, as it is for
/// dictionaries and sets. These do not give access to the address of their elements.
func shareStorage<Collection>(_ first: Collection, _ second: Collection) -> Bool {
  withUnsafeBytes(of: first) { first in
    withUnsafeBytes(of: second) { second in first.elementsEqual(second) }
  }
}
