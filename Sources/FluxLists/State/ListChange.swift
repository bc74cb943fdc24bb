/// A change of one item that a list shows before the change is committed.
public enum ListChange<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// Inserts an item at a position. If the position is `nil`, the item is inserted at the end.
  case insert(Item, at: Int?)
  /// Changes the item with an id.
  case update(Item.ID, @Sendable (inout Item) -> Void)
  /// Deletes the item with an id.
  case delete(Item.ID)

  /// The id of the item that changes.
  public var id: Item.ID {
    switch self {
    case .insert(let item, _): item.id
    case .update(let id, _), .delete(let id): id
    }
  }
}

extension ListChange: CustomStringConvertible {
  /// The kind of change and the id of the item, for logs.
  public var description: String {
    switch self {
    case .insert(let item, _): "insert(\(item.id))"
    case .update(let id, _): "update(\(id))"
    case .delete(let id): "delete(\(id))"
    }
  }
}
