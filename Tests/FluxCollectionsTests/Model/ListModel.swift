import FluxCollections

/// A model of a list: an array and a dictionary, in the simplest form.
struct ListModel: Equatable {
  var order: [Int] = []
  var texts: [Int: String] = [:]

  var entries: [Entry] { order.map { Entry($0, texts[$0] ?? "missing") } }

  mutating func perform(_ operation: ListOperation) {
    switch operation {
    case .insert(let entries, let position): insert(entries, at: position)
    case .add(let entries): add(entries)
    case .set(let entries): for entry in entries { set(entry) }
    case .setAll(let entries):
      self = ListModel()
      insert(entries, at: 0)
    case .update(let id, let text): if texts[id] != nil { texts[id] = text }
    case .rename(let id, let new): rename(id, to: new)
    case .removeIDs(let ids): for id in ids { remove(id) }
    case .removePositions(let positions):
      for id in Set(positions).compactMap(id(at:)) { remove(id) }
    case .removeDivisible(let divisor): for id in order where id.isMultiple(of: divisor) { remove(id) }
    case .move(let positions, let destination): move(positions, to: destination)
    case .sort: order = entries.sorted().map(\.id)
    }
  }

  private func id(at position: Int) -> Int? {
    order.indices.contains(position) ? order[position] : nil
  }

  private mutating func remove(_ id: Int) {
    order.removeAll { $0 == id }
    texts[id] = nil
  }

  private mutating func insert(_ entries: [Entry], at position: Int) {
    var last: [Entry] = []
    for (index, entry) in entries.enumerated()
    where !entries[(index + 1)...].contains(where: { $0.id == entry.id }) { last.append(entry) }
    for entry in last { remove(entry.id) }
    order.insert(contentsOf: last.map(\.id), at: min(max(position, 0), order.count))
    for entry in last { texts[entry.id] = entry.text }
  }

  private mutating func add(_ entries: [Entry]) {
    for entry in entries where texts[entry.id] == nil { set(entry) }
  }

  private mutating func set(_ entry: Entry) {
    if texts[entry.id] == nil { order.append(entry.id) }
    texts[entry.id] = entry.text
  }

  private mutating func rename(_ id: Int, to new: Int) {
    guard let text = texts[id], id != new else { return }
    remove(new)
    order[order.firstIndex(of: id) ?? 0] = new
    texts[id] = nil
    texts[new] = text
  }

  private mutating func move(_ positions: [Int], to destination: Int) {
    let positions = Set(positions).filter(order.indices.contains).sorted()
    let moved = positions.map { order[$0] }
    let destination = min(max(destination, 0), order.count)
    let before = order[..<destination].filter { !moved.contains($0) }
    order = before + moved + order[destination...].filter { !moved.contains($0) }
  }
}
