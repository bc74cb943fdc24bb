/// Decides which page's export is made: one export at a time, in the order of the requests.
///
/// A pure state machine, which the room keeps behind its lock. A page has at most one request in
/// the queue, and a request that waits holds nothing but the page's identity.
///
/// The size of an export is not known before the export is made. Each export therefore starts with
/// room for the longest answer, and keeps as much of the room as it needs. An export for which
/// there is no room when its turn comes is refused: a page that does not read would keep the
/// others waiting without an end.
package struct ExportQueue<Page: Hashable & Sendable>: Hashable, Sendable {
  /// What is to be done with a page's request.
  package enum Decision: Hashable, Sendable {
    /// The page's export is to be made, and then reported by `finish(keeping:in:)`.
    case make(Page)
    /// There is no room for the page's export.
    case refuse(Page)
  }

  private enum State: Hashable {
    case idle
    case making(Page, waiting: [Page])
  }

  /// The bytes that count while an export is made: those of the longest answer.
  package static var reserve: Int { MessageAssembly.most }

  private var state = State.idle

  package init() {}

  /// Adds a page's request.
  ///
  /// - Precondition: The queue has no other request of the page.
  /// - Returns: The decision about the request; `nil` if the request waits.
  package mutating func add(_ page: Page, in memory: inout PageMemory) -> Decision? {
    switch state {
    case .idle:
      return start(page, waiting: [], in: &memory)
    case .making(let maker, let waiting):
      precondition(page != maker && !waiting.contains(page), "A page has at most one request in the queue.")
      state = .making(maker, waiting: waiting + [page])
      return nil
    }
  }

  /// Removes a page's request if it waits.
  ///
  /// An export that is being made is not interrupted. The turn passes on when the export has been
  /// made.
  package mutating func remove(_ page: Page) {
    switch state {
    case .idle: break
    case .making(let maker, let waiting):
      state = .making(maker, waiting: waiting.filter { $0 != page })
    }
  }

  /// Ends the turn of the page whose export has been made, and passes it on.
  ///
  /// - Parameter bytes: The bytes of the answer, which count until the page releases them: at most
  ///   ``reserve``.
  /// - Returns: The decisions about requests that have waited: refusals, and at last at most one
  ///   export to make.
  package mutating func finish(keeping bytes: Int, in memory: inout PageMemory) -> [Decision] {
    switch state {
    case .idle:
      preconditionFailure("No export is being made.")
    case .making(_, var waiting):
      precondition(bytes <= Self.reserve, "An answer is no longer than the longest answer.")
      memory.release(Self.reserve - bytes)
      state = .idle
      var decisions: [Decision] = []
      while case .idle = state, !waiting.isEmpty {
        let page = waiting.removeFirst()
        decisions.append(start(page, waiting: waiting, in: &memory))
      }
      return decisions
    }
  }

  private mutating func start(_ page: Page, waiting: [Page], in memory: inout PageMemory) -> Decision {
    guard memory.take(Self.reserve) else { return .refuse(page) }
    state = .making(page, waiting: waiting)
    return .make(page)
  }
}
