import FluxAsync
public import FluxCollections

/// The uncommitted edits of a list, and the confirmed versions of the edited items.
///
/// The confirmed version of an item is the item without its uncommitted edits. The list shows
/// the confirmed version of each item, with the edits applied in the order in which they began.
/// A failed edit can therefore be rolled back even if later edits of the same item remain.
@usableFromInline
struct ListEdits<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  @usableFromInline
  struct Edit: Sendable {
    let id: RequestID
    var change: ListChange<Item>
  }

  /// The confirmed version of an item, and the position of the item.
  private struct Base: Sendable {
    /// The item, or `nil` if the list without uncommitted edits does not contain the item.
    var item: Item?
    /// The position at which the item is restored.
    var position: Int
  }

  /// The confirmed version of an item whose edit was committed while the list was being loaded.
  ///
  /// The repository may have produced the result of the load before the commit.
  private struct Kept: Sendable {
    /// The item, or `nil` if the item was deleted.
    var item: Item?
    /// The position at which a new item is inserted into the result of the load.
    var position: Int
    /// A Boolean value that indicates whether the list shows the item even if the result of the
    /// load does not contain the item.
    var isNew: Bool
    /// The number of items whose edits were committed before this item's edit, during the same
    /// load.
    ///
    /// The numbers determine the order in which the committed items are applied to the result of
    /// the load. The iteration order of a dictionary is not suitable, because a reducer must be
    /// pure, but equal dictionaries can have different iteration orders.
    var number: Int
  }

  @usableFromInline private(set) var edits: [Edit] = []
  private var bases: [Item.ID: Base] = [:]
  /// The ids of the edited items that are hidden because the list was erased and has not been
  /// loaded again.
  private var hidden: Set<Item.ID> = []
  /// The ids of the items that are being deleted, in the order of their positions.
  ///
  /// For each item that is being deleted, the `bases` dictionary contains the item's position
  /// among the shown items.
  private var absent: [Item.ID] = []
  private var kept: [Item.ID: Kept] = [:]

  @inlinable var isEmpty: Bool { edits.isEmpty }
  var count: Int { edits.count }

  func concern(_ id: Item.ID) -> Bool { bases[id] != nil }

  // MARK: Events

  /// Adds an edit, and applies the edit to the shown items.
  mutating func began(_ change: ListChange<Item>, _ id: RequestID, in items: inout OrderedState<Item>) {
    let item = change.id
    let wasHidden = hidden.remove(item) != nil
    if bases[item] == nil || wasHidden {
      bases[item] = Base(item: items[id: item], position: items.position(of: item) ?? items.count)
    }
    edits.append(Edit(id: id, change: change))
    apply(change, to: &items)
  }

  /// Discards the items in `kept` when the list begins to load from its beginning.
  ///
  /// The result of the new load already contains the committed versions of the discarded items.
  @usableFromInline
  mutating func beganLoading() {
    kept = [:]
  }

  /// Returns the item to commit: the confirmed version of the item, with all its edits up to and
  /// including the given edit applied.
  ///
  /// For a deletion, the result is the item to delete.
  func item(of id: RequestID) -> Item? {
    guard let last = edits.firstIndex(where: { $0.id == id }) else { return nil }
    let edit = edits[last]
    var list = OrderedState<Item>()
    if let known = bases[edit.change.id]?.item { list.append(known) }
    for earlier in edits[..<last] where earlier.change.id == edit.change.id {
      earlier.change.apply(to: &list)
    }
    if case .delete = edit.change { return list.first }
    edit.change.apply(to: &list)
    return list.first
  }

  /// Commits an edit with the item that the repository saved.
  ///
  /// - Returns: The change in the number of confirmed items.
  mutating func confirmed(
    _ id: RequestID, as kept: Item?, whileLoading: Bool, in items: inout OrderedState<Item>
  ) -> Int {
    guard let edit = take(id) else { return 0 }
    let item = edit.change.id
    guard var base = bases[item] else { return 0 }
    let wasThere = base.item != nil
    var list = OrderedState<Item>()
    if let known = base.item { list.append(known) }
    edit.change.apply(to: &list)
    base.item = kept ?? list.first
    if case .delete = edit.change { base.item = nil }
    if case .insert(_, let position?) = edit.change, !absent.contains(item) { base.position = position }
    bases[item] = base
    if whileLoading { keep(base, of: edit.change) }
    if let kept, kept.id != item {
      rename(item, to: kept, in: &items)
    } else {
      show(item, in: &items)
    }
    return (base.item == nil ? 0 : 1) - (wasThere ? 1 : 0)
  }

  /// Keeps the confirmed version of an item until the load ends.
  private mutating func keep(_ base: Base, of change: ListChange<Item>) {
    let id = base.item?.id ?? change.id
    let known = kept[id]
    var new = Kept(
      item: base.item, position: known?.position ?? base.position, isNew: known?.isNew ?? false,
      number: known?.number ?? kept.count)
    if case .insert(_, let position) = change {
      new.isNew = true
      // The list may be erased, so its end is not known before the load ends.
      new.position = position == nil ? .max : base.position
    }
    kept[id] = new
  }

  /// Rolls back an edit, and shows the item without the edit.
  mutating func refused(_ id: RequestID, in items: inout OrderedState<Item>) {
    guard let edit = take(id) else { return }
    show(edit.change.id, in: &items)
  }

  /// Applies all edits again after the items of the list have been replaced.
  @usableFromInline
  mutating func reapply(to items: inout OrderedState<Item>) {
    for id in bases.keys {
      bases[id] = Base(item: items[id: id], position: items.position(of: id) ?? bases[id]?.position ?? 0)
    }
    absent = []
    hidden = []
    for edit in edits { apply(edit.change, to: &items) }
  }

  /// Applies the items in `kept` to the result of a load, because the repository may have
  /// produced the result before these items were committed.
  @usableFromInline
  mutating func keep(in items: inout OrderedState<Item>) {
    for (id, kept) in kept.sorted(by: { $0.value.number < $1.value.number }) {
      guard let item = kept.item else {
        items.remove(id: id)
        continue
      }
      if !items.update(id, { $0 = item }), kept.isNew { items.insert(item, at: kept.position) }
    }
    kept = [:]
  }

  /// Applies the edits of the items in an appended page.
  ///
  /// - Parameters:
  ///   - new: The IDs of those items in the page that were not shown before.
  ///   - isFirst: A Boolean value that indicates whether the page is the first page.
  ///   - items: The items of the list.
  @usableFromInline
  mutating func appended(_ new: [Item.ID], isFirst: Bool, to items: inout OrderedState<Item>) {
    let again = Set(new.filter { hidden.remove($0) != nil || bases[$0].map { $0.item == nil } ?? false })
    // An item that is being deleted stays hidden, and `bases` already contains the item's
    // position.
    for id in new where bases[id] != nil && !again.contains(id) { items.remove(id: id) }
    let all = again.union(isFirst ? hidden : [])
    if isFirst { hidden = [] }
    for id in all {
      absent.removeAll { $0 == id }
      bases[id] = Base(item: items[id: id], position: items.position(of: id) ?? items.count)
    }
    for edit in edits where all.contains(edit.change.id) { apply(edit.change, to: &items) }
  }

  /// Hides the edits after the list is erased, until the list is loaded again.
  mutating func hide() {
    hidden.formUnion(bases.keys)
    absent = []
    kept = [:]
  }

  // MARK: Rules

  private mutating func take(_ id: RequestID) -> Edit? {
    edits.firstIndex { $0.id == id }.map { edits.remove(at: $0) }
  }

  /// Shows the confirmed version of an item, with its remaining edits applied.
  private mutating func show(_ id: Item.ID, in items: inout OrderedState<Item>) {
    guard let base = bases[id] else { return }
    let left = edits.filter { $0.change.id == id }
    if left.isEmpty { bases[id] = nil }
    guard !hidden.contains(id) else { return }
    var list = OrderedState<Item>()
    if let known = base.item { list.append(known) }
    for edit in left { edit.change.apply(to: &list) }
    if let item = list.first {
      if !items.update(id, { $0 = item }) { comeBack(item, id, to: base.position, of: &items) }
    } else {
      leave(id, of: &items)
    }
    if bases[id] == nil { absent.removeAll { $0 == id } }
  }

  // MARK: Positions of deleted items

  private mutating func apply(_ change: ListChange<Item>, to items: inout OrderedState<Item>) {
    if case .delete(let id) = change { return leave(id, of: &items) }
    let count = items.count
    change.apply(to: &items)
    guard items.count > count, let place = items.position(of: change.id) else { return }
    for id in absent where bases[id].map({ $0.position > place }) ?? false { bases[id]?.position += 1 }
  }

  /// Removes an item from the list, and records the position of the item in case the item is
  /// restored.
  private mutating func leave(_ id: Item.ID, of items: inout OrderedState<Item>) {
    guard let place = items.position(of: id) else { return }
    items.remove(id: id)
    absent.removeAll { $0 == id }
    let index = absent.firstIndex { bases[$0].map { $0.position > place } ?? false } ?? absent.count
    for later in absent[index...] { bases[later]?.position -= 1 }
    guard bases[id] != nil else { return }
    bases[id]?.position = place
    absent.insert(id, at: index)
  }

  /// Restores a deleted item between the items that preceded and followed it before the
  /// deletion.
  private mutating func comeBack(
    _ item: Item, _ id: Item.ID, to position: Int, of items: inout OrderedState<Item>
  ) {
    items.insert(item, at: position)
    guard let index = absent.firstIndex(of: id) else { return }
    absent.remove(at: index)
    for later in absent[index...] { bases[later]?.position += 1 }
  }

  /// Replaces an item with its saved version at the same position.
  ///
  /// The saved version has a new id.
  private mutating func rename(_ id: Item.ID, to kept: Item, in items: inout OrderedState<Item>) {
    guard let base = bases.removeValue(forKey: id) else { return }
    bases[kept.id] = base
    if hidden.remove(id) != nil { hidden.insert(kept.id) }
    for index in absent.indices where absent[index] == id { absent[index] = kept.id }
    // If a later edit inserted an item that also has the old id, the insertion and all
    // subsequent edits apply to that newly inserted item.
    var another: Int??
    for index in edits.indices where edits[index].change.id == id && another == nil {
      if case .insert(_, let position) = edits[index].change { another = .some(position) }
      if another == nil { edits[index].change.concern(kept.id) }
    }
    items.update(id) { $0 = kept }
    show(kept.id, in: &items)
    guard let another else { return }
    bases[id] = Base(item: nil, position: another ?? items.count)
    if !hidden.contains(kept.id) { show(id, in: &items) }
  }
}

extension ListChange {
  /// Sets the id of the item to which the change applies.
  mutating func concern(_ id: Item.ID) {
    switch self {
    case .insert: break
    case .update(_, let body): self = .update(id, body)
    case .delete: self = .delete(id)
    }
  }

  func apply(to items: inout OrderedState<Item>) {
    switch self {
    case .insert(let item, let position):
      // If the list already contains the id, an insertion updates the item without moving it.
      if !items.update(item.id, { $0 = item }) { items.insert(item, at: position ?? items.count) }
    case .update(let id, let body): items.update(id, body)
    case .delete(let id): items.remove(id: id)
    }
  }
}

extension ListEdits: Equatable where Item: Equatable {
  @usableFromInline
  static func == (first: ListEdits, second: ListEdits) -> Bool {
    first.edits.map(\.id) == second.edits.map(\.id)
  }
}
