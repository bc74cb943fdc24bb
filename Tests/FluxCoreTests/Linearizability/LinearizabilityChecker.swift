/// Searches an order of a history's operations that is possible on a single thread.
///
/// The order has to keep the real order: an operation that returned before another began precedes
/// it. The search is the algorithm of Wing and Gong (1993): it tries every operation that may come
/// next. With Lowe's improvement, it remembers the visited configurations, so that none is tried
/// twice.
struct LinearizabilityChecker {
  private struct Position: Hashable {
    /// The operations that have been ordered, as bits.
    var placed: UInt64 = 0
    var store = SequentialStore()
  }

  private let history: [RecordedOperation]
  private var visited: Set<Position> = []
  private var order: [RecordedOperation] = []

  /// Returns the order, or `nil` if there is none.
  ///
  /// - Parameter history: At most 64 operations, all of which have returned, in any order.
  static func order(of history: [RecordedOperation]) -> [RecordedOperation]? {
    var checker = LinearizabilityChecker(history)
    return checker.search(from: Position()) ? checker.order : nil
  }

  private init(_ history: [RecordedOperation]) {
    precondition(history.count <= UInt64.bitWidth)
    self.history = history.sorted { $0.invoked < $1.invoked }
  }

  private mutating func search(from position: Position) -> Bool {
    let left = history.indices.filter { position.placed & 1 << $0 == 0 }
    guard let firstReturn = left.map({ history[$0].returned }).min() else { return true }
    guard visited.insert(position).inserted else { return false }
    for index in left {
      guard history[index].invoked < firstReturn else { break }
      var next = position
      guard next.store.accepts(history[index].kind) else { continue }
      next.placed |= 1 << index
      order.append(history[index])
      if search(from: next) { return true }
      order.removeLast()
    }
    return false
  }
}
