import FluxCollections

/// An operation on a list and its model.
enum ListOperation: Sendable {
  case insert([Entry], at: Int)
  case add([Entry])
  case set([Entry])
  case setAll([Entry])
  case update(Int, String)
  case rename(Int, to: Int)
  case removeIDs([Int])
  case removePositions([Int])
  case removeDivisible(by: Int)
  case move([Int], to: Int)
  case sort

  func perform(on list: inout OrderedState<Entry>) {
    switch self {
    case .insert(let entries, let position): insert(entries, at: position, into: &list)
    case .add(let entries):
      if entries.count == 1 { list.add(entries[0]) } else { list.add(contentsOf: entries) }
    case .set(let entries):
      if entries.count == 1 { list.set(entries[0]) } else { list.upsert(contentsOf: entries) }
    case .setAll(let entries): list.setAll(entries)
    case .update(let id, let text):
      if id.isMultiple(of: 2) { list.update(id) { $0.text = text } } else { list[id: id]?.text = text }
    case .rename(let id, let new):
      if let position = list.position(of: id), id.isMultiple(of: 2) {
        list.update(at: position) { $0.id = new }
      } else {
        list.update(id) { $0.id = new }
      }
    case .removeIDs(let ids):
      if ids.count == 1 { list.remove(id: ids[0]) } else { list.remove(ids: ids) }
    case .removePositions(let positions):
      if positions.count == 1 { list.remove(at: positions[0]) } else { list.remove(at: positions) }
    case .removeDivisible(let divisor): list.removeAll { $0.id.isMultiple(of: divisor) }
    case .move(let positions, let destination): list.move(from: positions, to: destination)
    case .sort: list.sort()
    }
  }

  private func insert(_ entries: [Entry], at position: Int, into list: inout OrderedState<Entry>) {
    switch (entries.count, position) {
    case (1, 0): list.prepend(entries[0])
    case (1, list.count): list.append(entries[0])
    case (1, _): list.insert(entries[0], at: position)
    case (_, 0): list.prepend(contentsOf: entries)
    case (_, list.count): list.append(contentsOf: entries)
    default: list.insert(contentsOf: entries, at: position)
    }
  }

  /// An operation on a list with approximately the given number of elements.
  static func random(size: Int, count: Int, using random: inout some RandomNumberGenerator) -> ListOperation {
    func id() -> Int { .random(in: 0..<2 * size, using: &random) }
    func position() -> Int { .random(in: -1...count + 1, using: &random) }
    func several() -> Int {
      Int.random(in: 0..<10, using: &random) == 0 ? .random(in: 0...6, using: &random) : 1
    }
    func entries() -> [Entry] {
      (0..<several()).map { _ in Entry(id(), String(Int.random(in: 0..<100, using: &random))) }
    }
    // A short list grows, and a long list shrinks.
    let isGrowing = Int.random(in: 0..<2 * size, using: &random) >= count
    switch Int.random(in: 0..<1000, using: &random) {
    case 0..<300 where isGrowing: return .insert(entries(), at: position())
    case 0..<150: return .removeIDs((0..<several()).map { _ in id() })
    case 150..<300: return .removePositions((0..<several()).map { _ in position() })
    case 300..<400 where isGrowing: return .insert(entries(), at: Bool.random(using: &random) ? 0 : count)
    case 400..<500 where isGrowing: return .add(entries())
    case 300..<500: return .removePositions((0..<several()).map { _ in position() })
    case 500..<600: return .set(entries())
    case 600..<750: return .update(id(), String(Int.random(in: 0..<100, using: &random)))
    case 750..<800: return .rename(id(), to: id())
    case 800..<995: return .move((0..<several()).map { _ in position() }, to: position())
    case 995: return .sort
    case 996: return .removeDivisible(by: .random(in: 2...9, using: &random))
    case 997: return .setAll((0..<size / 2).map { _ in Entry(id(), "0") })
    default: return .removePositions(Array(0..<size / 4))
    }
  }
}
