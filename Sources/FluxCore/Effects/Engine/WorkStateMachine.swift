/// The rules of a store's asynchronous work: which work runs, which work waits, which work is
/// canceled, and when callers stop waiting.
///
/// The state machine is a pure value without locks, tasks, closures, or user state. Each method
/// represents an event that a thread reports while it holds a lock of the store. The method
/// returns the instructions that the thread executes outside the lock. Therefore, a test can
/// explore every interleaving of several threads and tasks without running any of them.
///
/// Scopes, work, and tasks are nodes of a tree:
/// - The root is the scope of the store.
/// - A scope contains the tasks and the work of a dispatch, or of one attempt.
/// - Work is the scope of everything that it starts, and counts as unfinished until ``leave(_:)``
///   is called.
/// - A task is a leaf.
///
/// After a node has ended, it starts no tasks or work, and actions that are dispatched in the
/// node are dropped.
@usableFromInline
package struct WorkStateMachine: Hashable, Sendable {
  /// The identity of a node, which is never reused for another node.
  package struct NodeID: Hashable, Sendable {
    let index: Int32
    let generation: UInt32
  }

  /// A step that a thread executes outside the lock.
  package enum Instruction: Hashable, Sendable {
    /// Cancel the task of a node.
    case cancelTask(NodeID)
    /// Call ``takeNotice(of:)`` and report the cancellation of the work.
    case report(NodeID)
    /// Resume the task that performs the work, so that the task calls ``proceed(_:by:)`` again.
    case resume(NodeID)
    /// Resume the callers that are waiting until all tasks and work in a scope have finished.
    case resumeIdle(NodeID)
    /// Resume the callers that are waiting until no thread is dispatching an action in a scope.
    case resumeAfterDispatches(NodeID)
    /// Call the closure for the end of the work, and then ``leave(_:by:)``.
    case complete(NodeID)
  }

  enum Kind: Hashable, Sendable {
    case removed, scope, work, task
  }

  struct Node: Hashable, Sendable {
    var generation: UInt32 = 0
    var kind = Kind.removed
    var parent = none
    var firstChild = none
    var lastChild = none
    var next = none
    var previous = none
    /// The number of unfinished tasks and pieces of work below the node.
    var unfinished: Int32 = 0
    /// A Boolean value that indicates whether the node has ended, and therefore starts nothing
    /// and drops actions.
    var isEnded = false
    /// A Boolean value that indicates whether a caller is waiting until all tasks and work below
    /// the node have finished.
    var awaitsIdle = false
    /// A Boolean value that indicates whether a caller is waiting until no thread is dispatching
    /// an action.
    var awaitsDispatches = false
    /// The number of pieces of work that have arrived below the node.
    var arrived: Int32 = 0
    /// The number of pieces of work below the node that did nothing.
    var idle: Int32 = 0
    /// A Boolean value that indicates whether actions that the attempt itself dispatches are
    /// dropped.
    var isClosed = false
    /// A Boolean value that indicates whether an attempt has a result, or a race has a winner.
    var isOver = false
    /// A Boolean value that indicates whether the scope is that of a dispatch in a race.
    var isRacer = false
    /// A Boolean value that indicates whether the action of the racer was dispatched.
    var isDispatched = false
    var dispatchers = DispatchingThreads()
    /// The data of the work, which has its initial value if the node does not represent work.
    var work = Work()

    /// Makes a removed node the last child of a node.
    mutating func insert(_ kind: Kind, under parent: Int32, after previous: Int32, isEnded: Bool) {
      // A removed node has its initial values, except for its generation and its next node.
      self.kind = kind
      self.parent = parent
      self.previous = previous
      next = none
      self.isEnded = isEnded
    }

    /// Gives a removed node its initial values, except for its generation, and its next node.
    ///
    /// The node has no children and no dispatching threads. Assigning an initial node instead would
    /// take several times as long, because the data of work is large.
    mutating func remove(before next: Int32) {
      if kind == .work { work = Work() }
      generation &+= 1
      kind = .removed
      (parent, previous, self.next) = (none, none, next)
      (arrived, idle) = (0, 0)
      (isEnded, awaitsIdle, awaitsDispatches) = (false, false, false)
      (isClosed, isOver, isRacer, isDispatched) = (false, false, false, false)
    }
  }

  /// The index that represents the absence of a node.
  static var none: Int32 { -1 }

  var nodes: [Node]
  /// The first removed node.
  ///
  /// The removed nodes are linked by `next`.
  private var firstRemoved = none

  var lanes: [WorkLane] = []
  var laneOfID: [WorkID: Int32] = [:]
  /// The lane of the work that arrived last.
  var newestLane = none
  var removedLanes: [Int32] = []
  /// The number of lanes at which idle lanes are removed.
  var sweepsLanesAt = 64
  /// For each piece of work that must wait, the earlier work whose dispatches must end first.
  var followed: [Int32: [NodeID]] = [:]
  /// For each piece of work, the newer work that is waiting until no thread is dispatching an
  /// action in it.
  var followers: [Int32: [NodeID]] = [:]

  /// Creates a state machine that contains no work.
  package init() {
    nodes = [Node(kind: .scope)]
  }

  // MARK: Nodes

  /// The scope of the store.
  package var root: NodeID { Self.root }

  static var root: NodeID { NodeID(index: 0, generation: 0) }

  /// Returns a Boolean value that indicates whether a node has not been removed.
  package func contains(_ id: NodeID) -> Bool { nodes[Int(id.index)].generation == id.generation }

  /// Returns the node that contains a node.
  func parent(of id: NodeID) -> NodeID { self.id(self[index(id)].parent) }

  func id(_ index: Int32) -> NodeID {
    NodeID(index: index, generation: nodes[Int(index)].generation)
  }

  /// Returns the index of a node, which must not have been removed.
  func index(_ id: NodeID) -> Int32 {
    assert(nodes[Int(id.index)].generation == id.generation, "The node was removed.")
    return id.index
  }

  subscript(index: Int32) -> Node {
    _read { yield nodes[Int(index)] }
    _modify { yield &nodes[Int(index)] }
  }

  /// Inserts a node as the last child of another node.
  mutating func insert(_ kind: Kind, under parent: Int32) -> Int32 {
    let index: Int32
    if firstRemoved == Self.none {
      index = Int32(nodes.count)
      nodes.append(Node())
    } else {
      index = firstRemoved
      firstRemoved = self[index].next
    }
    let last = self[parent].lastChild
    self[index].insert(kind, under: parent, after: last, isEnded: self[parent].isEnded)
    if last == Self.none { self[parent].firstChild = index } else { self[last].next = index }
    self[parent].lastChild = index
    return index
  }

  /// Removes a node that has no children.
  mutating func remove(_ index: Int32) {
    assert(self[index].firstChild == Self.none, "The node has children.")
    let (parent, previous, next) = (self[index].parent, self[index].previous, self[index].next)
    if previous == Self.none { self[parent].firstChild = next } else { self[previous].next = next }
    if next == Self.none { self[parent].lastChild = previous } else { self[next].previous = previous }
    self[index].remove(before: firstRemoved)
    firstRemoved = index
  }

  /// Calls a closure with a node and each node above it, except for the root.
  ///
  /// The root is omitted, because it contains every dispatch of the store, and no caller waits
  /// until all of them have ended.
  mutating func forEachBelowRoot(from index: Int32, _ body: (inout WorkStateMachine, Int32) -> Void) {
    var index = index
    while index != 0 {
      body(&self, index)
      index = self[index].parent
    }
  }
}
