/// Whether two collections are one and the same in memory, and so hold the same for sure.
///
/// It is for collections that are one reference each, as dictionaries and sets are, which do not tell where they keep what
/// they hold. O(1).
func shareStorage<Collection>(_ first: Collection, _ second: Collection) -> Bool {
  withUnsafeBytes(of: first) { first in
    withUnsafeBytes(of: second) { second in first.elementsEqual(second) }
  }
}
