/// The sizes of the parts of a list's storage.
///
/// Tests use small sizes, so that short lists have many leaves and tall trees.
@usableFromInline
package struct ListShape: Hashable, Sendable {
  /// The maximum number of elements in a leaf, which is from 2 to 64.
  @usableFromInline package let leaf: Int
  /// The maximum number of children of a group, which is at least 4.
  @usableFromInline package let group: Int

  @inlinable
  package init(leaf: Int, group: Int) {
    self.leaf = leaf
    self.group = group
  }

  @inlinable package static var usual: ListShape { ListShape(leaf: 64, group: 32) }
}
