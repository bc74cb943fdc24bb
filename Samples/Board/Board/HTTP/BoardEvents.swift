import Flux
import FlyingSocks

/// The events that a page receives: the current list, and the list after each change.
///
/// A slow page receives the newest list when it is ready, and does not delay other pages. Each
/// list is newer than the previous list, even if an earlier connection sent the previous list. If
/// the list contains a new change of the page, the number of the change precedes the list.
package struct BoardEvents: AsyncBufferedSequence {
  package typealias Element = UInt8

  private let shown: StateStream<Shown>
  private let store: StoreProxy<BoardState>
  private let version: Int?
  private let client: String?
  private let event: @Sendable (Shown) -> BoardEvent

  init(
    of shown: StateStream<Shown>, from store: StoreProxy<BoardState>, after version: Int?,
    for client: String?, event: @escaping @Sendable (Shown) -> BoardEvent
  ) {
    self.shown = shown
    self.store = store
    self.version = version
    self.client = client
    self.event = event
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(
      shown: shown.makeAsyncIterator(), seen: version, client: client, event: event, listener: Listener(store)
    )
  }

  package struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var shown: StateStream<Shown>.Iterator
    fileprivate var seen: Int?
    private let client: String?
    /// The number of the client's last change that the page has received.
    private var made = 0
    fileprivate let event: @Sendable (Shown) -> BoardEvent
    fileprivate let listener: Listener
    private var (hasBegun, hasEnded) = (false, false)

    fileprivate init(
      shown: StateStream<Shown>.Iterator, seen: Int?, client: String?,
      event: @escaping @Sendable (Shown) -> BoardEvent, listener: Listener
    ) {
      self.shown = shown
      self.seen = seen
      self.client = client
      self.event = event
      self.listener = listener
    }

    package mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
      guard hasBegun else {
        hasBegun = true
        return BoardEvent.beginning
      }
      guard !hasEnded, let shown = await shown.next() else { return nil }
      if shown.isEnding {
        hasEnded = true
        return BoardEvent.end
      }
      let event = event(shown)
      if let seen, seen >= event.version { return BoardEvent.beat }
      seen = event.version
      guard let client, let change = shown.list.lastChanges[id: client], change.number > made else {
        return event.bytes
      }
      made = change.number
      return BoardEvent.made(change) + event.bytes
    }

    package mutating func next() async -> UInt8? {
      fatalError("The events are read in whole buffers.")
    }
  }
}

/// A registration of a page that follows the board, for the lifetime of this object.
private final class Listener: Sendable {
  private let store: StoreProxy<BoardState>

  init(_ store: StoreProxy<BoardState>) {
    self.store = store
    store.dispatch(ListenerCame())
  }

  deinit {
    store.dispatch(ListenerLeft())
  }
}
