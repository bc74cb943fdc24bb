public import FluxAsync
import FluxCollections
public import FluxCore

/// An action that changes a list at once, and undoes it if the repository refuses.
///
/// ``ListSlice/insert(_:at:commit:)``, ``ListSlice/update(_:_:commit:)`` and ``ListSlice/delete(_:commit:)``
/// make it. It is an ``AsyncRequest``: pending once the change is shown, then fulfilled with the item as it
/// is kept, or rejected. Changes run side by side, and each is confirmed or undone by itself, also where
/// several concern one item.
public struct ListEdit<Item: Identifiable & Sendable>: AsyncRequest where Item.ID: Sendable {
  /// Tells a server of a change; gives the item as it is kept there.
  typealias Commit = @Sendable (Item) async throws -> Item?

  let source: ListSource<Item>
  /// What changes.
  public let change: ListChange<Item>
  let commit: Commit

  init(_ change: ListChange<Item>, of source: ListSource<Item>, _ commit: @escaping Commit) {
    self.source = source
    self.change = change
    self.commit = commit
  }

  /// Which list it changes.
  public var list: ListID { source.id }

  /// Whether there is such an item, or it is new.
  public func isWanted(in state: any FluxState) -> Bool {
    guard let list = source.read(state) else { return false }
    if case .insert = change { return true }
    return list.items.contains(id: change.id)
  }

  /// Has the change kept.
  public func perform(in context: RequestContext<any FluxState>) async throws -> Item? {
    guard let item = source.read(context.state)?.edits.item(of: context.id) else {
      throw ListFailure(.unwanted)
    }
    return try await commit(item)
  }
}

extension ListEdit: CustomStringConvertible {
  /// The list and what is done to it, as in `Books.delete(7)`.
  public var description: String { "\(list).\(change)" }
}
