import FluxCollections

/// The changes of a list that are not confirmed, and what the list would be without them.
///
/// Of each item that a change concerns the confirmed form is kept. What is shown is that form with the
/// changes made to it in their order; so one that is refused can be taken out from among others.
struct ListEdits<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private struct Edit: Sendable {
    let id: RequestID
    var change: ListChange<Item>
  }

  /// An item without the changes.
  private struct Base: Sendable {
    /// `nil` when there is none.
    var item: Item?
    /// Where it stands when it has to come back.
    var position: Int
  }

  private var edits: [Edit] = []
  private var bases: [Item.ID: Base] = [:]
  /// The items that went when the list was erased, and are not shown until it has come anew.
  private var hidden: Set<Item.ID> = []

  var isEmpty: Bool { edits.isEmpty }
  var count: Int { edits.count }

  func concern(_ id: Item.ID) -> Bool { bases[id] != nil }

  // MARK: Events

  /// A change is shown.
  mutating func began(_ change: ListChange<Item>, _ id: RequestID, in items: inout OrderedState<Item>) {
    let item = change.id
    let wasHidden = hidden.remove(item) != nil
    if bases[item] == nil || wasHidden {
      bases[item] = Base(item: items[id: item], position: items.position(of: item) ?? items.count)
    }
    edits.append(Edit(id: id, change: change))
    change.apply(to: &items)
  }

  /// The item that a change makes, or takes away: the confirmed one, with the changes that came before.
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

  /// A change was confirmed, with the item as it is kept.
  mutating func confirmed(_ id: RequestID, as kept: Item?, in items: inout OrderedState<Item>) {
    guard let edit = take(id) else { return }
    let item = edit.change.id
    guard var base = bases[item] else { return }
    var list = OrderedState<Item>()
    if let known = base.item { list.append(known) }
    edit.change.apply(to: &list)
    base.item = kept ?? list.first
    if case .delete = edit.change { base.item = nil }
    if case .insert(_, let position?) = edit.change { base.position = position }
    bases[item] = base
    if let kept, kept.id != item { return rename(item, to: kept, in: &items) }
    show(item, in: &items)
  }

  /// A change was refused: what is shown is what would be without it.
  mutating func refused(_ id: RequestID, in items: inout OrderedState<Item>) {
    guard let edit = take(id) else { return }
    show(edit.change.id, in: &items)
  }

  /// The list has come anew: what is confirmed is in it, and what is not is shown again.
  mutating func reapply(to items: inout OrderedState<Item>) {
    for id in bases.keys {
      bases[id] = Base(item: items[id: id], position: items.position(of: id) ?? bases[id]?.position ?? 0)
    }
    for edit in edits { edit.change.apply(to: &items) }
    hidden = []
  }

  /// The list was erased: the changes are shown again when it comes anew.
  mutating func hide() {
    hidden.formUnion(bases.keys)
  }

  // MARK: Rules

  private mutating func take(_ id: RequestID) -> Edit? {
    edits.firstIndex { $0.id == id }.map { edits.remove(at: $0) }
  }

  /// Shows an item as it is confirmed, with the changes that are left.
  private mutating func show(_ id: Item.ID, in items: inout OrderedState<Item>) {
    guard let base = bases[id] else { return }
    let left = edits.filter { $0.change.id == id }
    if left.isEmpty { bases[id] = nil }
    guard !hidden.contains(id) else { return }
    if let item = base.item {
      if !items.update(id, { $0 = item }) { items.insert(item, at: base.position) }
    } else {
      items.remove(id: id)
    }
    for edit in left { edit.change.apply(to: &items) }
  }

  /// An item was given its id by the server; it stays where it stands.
  private mutating func rename(_ id: Item.ID, to kept: Item, in items: inout OrderedState<Item>) {
    guard let base = bases.removeValue(forKey: id) else { return }
    bases[kept.id] = base
    if hidden.remove(id) != nil { hidden.insert(kept.id) }
    for index in edits.indices where edits[index].change.id == id { edits[index].change.concern(kept.id) }
    items.update(id) { $0 = kept }
    show(kept.id, in: &items)
  }
}

extension ListChange {
  /// Makes it a change of the item with another id.
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
      // One that is there already was changed, and keeps its place.
      if !items.update(item.id, { $0 = item }) { items.insert(item, at: position ?? items.count) }
    case .update(let id, let body): items.update(id, body)
    case .delete(let id): items.remove(id: id)
    }
  }
}

extension ListEdits: Equatable where Item: Equatable {
  static func == (first: ListEdits, second: ListEdits) -> Bool {
    first.edits.map(\.id) == second.edits.map(\.id)
  }
}
