/// A repository that keeps what is changed in its list.
///
/// ``ListSlice/insert(_:at:in:)``, ``ListSlice/update(_:in:_:)`` and ``ListSlice/delete(_:in:)`` show a
/// change at once, tell it here, and undo it if this throws.
public protocol AnyEditableListRepository<ItemType>: AnyListRepository {
  /// Keeps a new item.
  ///
  /// - Returns: The item as it is kept, which may have been given another id.
  func insert(_ item: ItemType) async throws -> ItemType

  /// Keeps a changed item.
  ///
  /// - Returns: The item as it is kept.
  func update(_ item: ItemType) async throws -> ItemType

  /// Forgets an item.
  func delete(_ item: ItemType) async throws
}
