/// A queue that decides for which page an export is made: for one page at a time, in the order of
/// the requests.
///
/// A pure state machine, which an ``InspectorRoom`` protects with its lock. A page has at most
/// one request in the queue, and the queue stores only the page's identity for a waiting request.
///
/// The size of an export is not known before the export is made. Each export therefore reserves
/// room for the longest answer, and releases the room that it did not need afterward. If an
/// export is next and there is not enough room for it, the export is refused: otherwise a page
/// that does not read its answers would block the exports of all other pages.
package struct ExportQueue<Page: Hashable & Sendable>: Hashable, Sendable {
  /// A decision about a page's request.
  package enum Decision: Hashable, Sendable {
    /// The page must make its export, and then call `finish(keeping:in:)`.
    case make(Page)
    /// There is no room for the page's export.
    case refuse(Page)
  }

  private enum State: Hashable {
    case idle
    case making(Page, waiting: [Page])
  }

  /// The number of bytes that are reserved while an export is made, which is the size of the
  /// longest answer.
  package static var reserve: Int { MessageAssembly.most }

  private var state = State.idle

  package init() {}

  /// Adds a page's request.
  ///
  /// - Precondition: The queue contains no other request of the page.
  /// - Returns: The decision about the request; `nil` if the request must wait.
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

  /// Removes a page's request if the request is waiting.
  ///
  /// An export that is being made is not interrupted, and the next export starts after it has
  /// been made.
  package mutating func remove(_ page: Page) {
    switch state {
    case .idle: break
    case .making(let maker, let waiting):
      state = .making(maker, waiting: waiting.filter { $0 != page })
    }
  }

  /// Ends the current export, and starts the next export or refuses it.
  ///
  /// - Parameter bytes: The number of bytes of the answer, at most ``reserve``. These bytes are
  ///   counted until the page releases them.
  /// - Returns: The decisions about waiting requests: any number of refusals, followed by at most
  ///   one export to make.
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
