/// A handwritten ordered collection of rows that finds each row by its id.
struct ArrayAndDictionary {
  private(set) var rows: [Row]
  private var indices: [Int: Int]

  init(_ count: Int) {
    rows = (0..<count).map(row)
    indices = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, $0) })
  }

  subscript(id id: Int) -> Row? { indices[id].map { rows[$0] } }

  mutating func update(_ id: Int, _ body: (inout Row) -> Void) {
    if let index = indices[id] { body(&rows[index]) }
  }

  mutating func append(_ row: Row) {
    indices[row.id] = rows.count
    rows.append(row)
  }

  mutating func remove(id: Int) -> Row? {
    guard let index = indices.removeValue(forKey: id) else { return nil }
    let row = rows.remove(at: index)
    for later in index..<rows.count { indices[rows[later].id] = later }
    return row
  }

  mutating func insert(_ row: Row, at index: Int) {
    rows.insert(row, at: index)
    for later in index..<rows.count { indices[rows[later].id] = later }
  }
}
