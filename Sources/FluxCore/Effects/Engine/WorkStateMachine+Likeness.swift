// Two state machines are alike if they respond to the same later events in the same way. The
// numbers of their nodes can differ.

extension WorkStateMachine {
  /// Adds everything that affects later events to a hash.
  ///
  /// The hash of two state machines is equal if their trees are equal, even if the nodes have other
  /// numbers, because other nodes were removed before.
  package func hashLikeness(into hasher: inout Hasher) {
    var numbers: [Int32: Int] = [:]
    number(0, &numbers)
    hash(0, numbers, into: &hasher)
    for lane in lanes.indices.filter({ laneOfID[lanes[$0].id] == Int32($0) }) {
      hash(lanes[lane], numbers, into: &hasher)
    }
    hash(followed, numbers, into: &hasher)
    hash(followers, numbers, into: &hasher)
  }

  /// Numbers a node and the nodes below it in the order in which they were added.
  private func number(_ index: Int32, _ numbers: inout [Int32: Int]) {
    numbers[index] = numbers.count
    forEachChild(of: index) { number($0, &numbers) }
  }

  private func forEachChild(of index: Int32, _ body: (Int32) -> Void) {
    var child = self[index].firstChild
    while child != Self.none {
      body(child)
      child = self[child].next
    }
  }

  private func hash(_ index: Int32, _ numbers: [Int32: Int], into hasher: inout Hasher) {
    var node = self[index]
    let lane = node.work.lane
    hasher.combine(lane == Self.none ? nil : lanes[Int(lane)].id)
    // The links and the numbers are replaced by the order of the nodes.
    node.generation = 0
    (node.parent, node.firstChild, node.lastChild) = (0, 0, 0)
    (node.next, node.previous) = (0, 0)
    node.work.lane = 0
    node.work.next = numbers[node.work.next].map(Int32.init) ?? Self.none
    node.work.previous = numbers[node.work.previous].map(Int32.init) ?? Self.none
    if node.dispatchers.isEmpty { node.dispatchers = DispatchingThreads() }
    hasher.combine(node)
    forEachChild(of: index) { hash($0, numbers, into: &hasher) }
    hasher.combine(Self.none)
  }

  private func hash(_ lane: WorkLane, _ numbers: [Int32: Int], into hasher: inout Hasher) {
    hasher.combine(lane.id)
    for index in [lane.first, lane.last, lane.waiting] { hasher.combine(numbers[index]) }
    hasher.combine(lane.queue.map { place(of: $0, numbers) })
    hasher.combine(lane.dispatching.map { place(of: $0, numbers) })
    hasher.combine([lane.queued, lane.running, lane.settled, lane.ending])
    hasher.combine(lane.windowEnd)
  }

  private func hash(
    _ table: [Int32: [NodeID]], _ numbers: [Int32: Int], into hasher: inout Hasher
  ) {
    let entries = table.compactMap { index, nodes in
      numbers[index].map { ($0, nodes.map { place(of: $0, numbers) }) }
    }
    for (number, nodes) in entries.sorted(by: { $0.0 < $1.0 }) {
      hasher.combine(number)
      hasher.combine(nodes)
    }
  }

  /// Returns the number of a node, or `nil` if the node was removed.
  private func place(of node: NodeID, _ numbers: [Int32: Int]) -> Int? {
    contains(node) ? numbers[node.index] : nil
  }
}
