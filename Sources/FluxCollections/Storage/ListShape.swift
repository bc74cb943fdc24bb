/// How large the parts of a list's storage are.
///
/// Tests make them small, so that short lists have many leaves and tall trees.
@usableFromInline
package struct ListShape: Hashable, Sendable {
  /// How many elements a leaf has at most: 2 to 64.
  @usableFromInline package let leaf: Int
  /// How many children a group has at most: 4 or more.
  @usableFromInline package let group: Int

  @inlinable
  package init(leaf: Int, group: Int) {
    self.leaf = leaf
    self.group = group
  }

  @inlinable package static var usual: ListShape { ListShape(leaf: 64, group: 32) }
}
