/// A repository that saves the edits of its list.
///
/// ``ListSlice/insert(_:at:in:)``, ``ListSlice/update(_:in:_:)``, and
/// ``ListSlice/delete(_:in:)`` show an edit immediately. Then they call the method of the
/// repository, and roll the edit back if the method throws.
public protocol AnyEditableListRepository<ItemType>: AnyListRepository {
  /// Saves a new item.
  ///
  /// - Returns: The saved item, which can have another id.
  func insert(_ item: ItemType) async throws -> ItemType

  /// Saves a changed item.
  ///
  /// - Returns: The saved item.
  func update(_ item: ItemType) async throws -> ItemType

  /// Deletes an item.
  func delete(_ item: ItemType) async throws
}
