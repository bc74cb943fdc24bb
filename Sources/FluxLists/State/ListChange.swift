/// A change of a list that is shown before it is confirmed.
public enum ListChange<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// A new item comes to a position; `nil` is the end.
  case insert(Item, at: Int?)
  /// The item with an id changes.
  case update(Item.ID, @Sendable (inout Item) -> Void)
  /// The item with an id goes.
  case delete(Item.ID)

  /// Which item it concerns.
  public var id: Item.ID {
    switch self {
    case .insert(let item, _): item.id
    case .update(let id, _), .delete(let id): id
    }
  }
}

extension ListChange: CustomStringConvertible {
  /// What changes, for logs.
  public var description: String {
    switch self {
    case .insert(let item, _): "insert(\(item.id))"
    case .update(let id, _): "update(\(id))"
    case .delete(let id): "delete(\(id))"
    }
  }
}
