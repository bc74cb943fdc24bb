/// Decides for which page an origin is found: one at a time, in the order of the requests.
///
/// A pure state machine, which the room keeps behind its lock. A page has at most one request in
/// the queue.
package struct OriginQueue<Page: Hashable & Sendable>: Hashable, Sendable {
  private enum State: Hashable {
    case idle
    case finding(Page, waiting: [Page])
    /// The page left while its origin was being found.
    case findingInVain(waiting: [Page])
  }

  private var state = State.idle

  package init() {}

  /// Adds a page's request.
  ///
  /// - Precondition: The queue has no other request of the page.
  /// - Returns: A Boolean value that indicates whether the page's turn begins now.
  package mutating func add(_ page: Page) -> Bool {
    switch state {
    case .idle:
      state = .finding(page, waiting: [])
      return true
    case .finding(let finder, let waiting):
      precondition(page != finder && !waiting.contains(page), "A page has at most one request in the queue.")
      state = .finding(finder, waiting: waiting + [page])
      return false
    case .findingInVain(let waiting):
      precondition(!waiting.contains(page), "A page has at most one request in the queue.")
      state = .findingInVain(waiting: waiting + [page])
      return false
    }
  }

  /// Removes a page's request.
  ///
  /// A search that has begun is not interrupted. The turn passes on when the search has ended.
  package mutating func remove(_ page: Page) {
    switch state {
    case .idle: break
    case .finding(page, let waiting): state = .findingInVain(waiting: waiting)
    case .finding(let finder, let waiting): state = .finding(finder, waiting: waiting.filter { $0 != page })
    case .findingInVain(let waiting): state = .findingInVain(waiting: waiting.filter { $0 != page })
    }
  }

  /// Ends the turn, and passes it on.
  ///
  /// - Returns: The page whose origin was found, unless it has left, and the page whose turn begins
  ///   now.
  package mutating func finish() -> (finished: Page?, next: Page?) {
    switch state {
    case .idle: preconditionFailure("No origin is being found.")
    case .finding(let page, let waiting): (page, start(waiting))
    case .findingInVain(let waiting): (nil, start(waiting))
    }
  }

  private mutating func start(_ waiting: [Page]) -> Page? {
    guard let page = waiting.first else {
      state = .idle
      return nil
    }
    state = .finding(page, waiting: Array(waiting.dropFirst()))
    return page
  }
}
