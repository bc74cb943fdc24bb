/// Returns whether two collections share their storage, and are therefore equal.
///
/// The function takes O(1) time.
///
/// Use this function for collections that are stored as a single reference, such as
/// dictionaries and sets. These collections do not provide access to the addresses of their
/// elements.
func shareStorage<Collection>(_ first: Collection, _ second: Collection) -> Bool {
  withUnsafeBytes(of: first) { first in
    withUnsafeBytes(of: second) { second in first.elementsEqual(second) }
  }
}
