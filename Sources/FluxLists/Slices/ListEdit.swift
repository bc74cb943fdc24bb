public import FluxAsync
import FluxCollections
public import FluxCore

/// An action that edits a list immediately, and rolls the edit back if the repository rejects
/// the edit.
///
/// The methods ``ListSlice/insert(_:at:commit:)``, ``ListSlice/update(_:_:commit:)``, and
/// ``ListSlice/delete(_:commit:)`` create this action. The action is an
/// ``/FluxAsync/AsyncRequest``. The list shows the edit as soon as the request is pending. When
/// the commit has ended, the request is fulfilled with the saved item, or rejected. Several
/// edits can run at the same time. Each edit is committed or rolled back independently, even if
/// several edits change the same item.
public struct ListEdit<Item: Identifiable & Sendable>: AsyncRequest where Item.ID: Sendable {
  /// A closure that sends an edited item to a server, and returns the saved item or `nil`.
  @usableFromInline typealias Commit = @Sendable (Item) async throws -> Item?

  @usableFromInline let source: ListSource<Item>
  /// The change to the list.
  public let change: ListChange<Item>
  let commit: Commit

  init(_ change: ListChange<Item>, of source: ListSource<Item>, _ commit: @escaping Commit) {
    self.source = source
    self.change = change
    self.commit = commit
  }

  /// The id of the list that the action edits.
  @inlinable public var list: ListID { source.id }

  /// Returns a Boolean value that indicates whether the change inserts an item or the list
  /// contains the item to change.
  public func isWanted(in state: any FluxState) -> Bool {
    var isWanted = false
    source.withList(state) { list in
      if case .insert = change { isWanted = true } else { isWanted = list.items.contains(id: change.id) }
    }
    return isWanted
  }

  /// Commits the edit, and returns the saved item.
  public func perform(in context: RequestContext<any FluxState>) async throws -> Item? {
    guard let item = source.read(context.state)?.edits.item(of: context.id) else {
      throw ListFailure(.unwanted)
    }
    return try await context.services.callingRepository { try await commit(item) }
  }
}

extension ListEdit: CustomStringConvertible {
  /// The id of the list and the change, as in `Books.delete(7)`.
  public var description: String { "\(list).\(change)" }
}

/// A change to one item that a list shows before the change is committed.
public enum ListChange<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// Inserts an item at a position. If the position is `nil`, the item is inserted at the end of
  /// the list.
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
