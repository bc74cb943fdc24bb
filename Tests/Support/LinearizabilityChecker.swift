/// The operations of a subject that performs one operation at a time: the specification with which
/// concurrent histories are compared.
package protocol SequentialModel: Hashable {
  associatedtype Operation: Sendable

  /// Creates the model of a new subject.
  init()

  /// Performs the operation if its recorded result is possible.
  mutating func accepts(_ operation: Operation) -> Bool
}

/// One operation of a thread or a task on a subject, with its result and its time.
package struct RecordedOperation<Model: SequentialModel>: Sendable, CustomStringConvertible {
  package let thread: Int
  package let kind: Model.Operation
  /// The index of its beginning among the beginnings and ends of all operations.
  package let invoked: Int
  /// The index of its end.
  package let returned: Int

  package init(thread: Int, kind: Model.Operation, invoked: Int, returned: Int) {
    self.thread = thread
    self.kind = kind
    self.invoked = invoked
    self.returned = returned
  }

  package var description: String { "thread \(thread), \(invoked) to \(returned): \(kind)" }
}

/// Searches an order of a history's operations that is possible on a single thread.
///
/// The order has to keep the real order: an operation that returned before another began precedes
/// it. The search is the algorithm of Wing and Gong (1993): it tries every operation that may come
/// next. With Lowe's improvement, it remembers the visited configurations, so that none is tried
/// twice.
package struct LinearizabilityChecker<Model: SequentialModel> {
  package typealias Operation = RecordedOperation<Model>

  private struct Position: Hashable {
    /// The operations that have been ordered, as bits.
    var placed: UInt64 = 0
    var model = Model()
  }

  private let history: [Operation]
  private var visited: Set<Position> = []
  private var order: [Operation] = []

  /// Returns the order, or `nil` if there is none.
  ///
  /// - Parameter history: At most 64 operations, all of which have returned, in any order.
  package static func order(of history: [Operation]) -> [Operation]? {
    var checker = LinearizabilityChecker(history)
    return checker.search(from: Position()) ? checker.order : nil
  }

  private init(_ history: [Operation]) {
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
      guard next.model.accepts(history[index].kind) else { continue }
      next.placed |= 1 << index
      order.append(history[index])
      if search(from: next) { return true }
      order.removeLast()
    }
    return false
  }
}
