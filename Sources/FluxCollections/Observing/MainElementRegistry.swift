public import FluxCore
import Synchronization

/// The observers of a list's elements on the main actor by id, and the most recently delivered
/// elements.
@MainActor @usableFromInline
final class MainElementRegistry<Element: Identifiable & Sendable> where Element.ID: Sendable {
  /// An observer of one element.
  @MainActor
  final class Observer {
    let receive: @MainActor (Element?) -> Void
    /// The number of the version that the observer received last.
    var turn: UInt64
    /// A Boolean value that indicates whether the observer was canceled.
    ///
    /// The value is atomic, because any thread can release a token.
    private nonisolated let cancelled = Atomic<Bool>(false)

    init(turn: UInt64, _ receive: @escaping @MainActor (Element?) -> Void) {
      self.turn = turn
      self.receive = receive
    }

    nonisolated var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    nonisolated func cancel() {
      cancelled.store(true, ordering: .releasing)
    }
  }

  /// A closure that subscribes another closure to the list in the store.
  @usableFromInline
  typealias Subscribing =
    @MainActor @Sendable (_ receive: @escaping @MainActor (OrderedState<Element>) -> Void) ->
    SubscriptionToken

  private let comparison: ElementComparison<Element>
  private let subscribing: Subscribing
  /// The token of the subscription, which begins with the first observer.
  private var token: SubscriptionToken?
  private var delivered = DeliveredElements<Element>()
  /// The number of versions that were delivered.
  private var turn: UInt64 = 0
  private var observers: [Element.ID: [Observer]] = [:]

  @usableFromInline
  nonisolated init(_ comparison: ElementComparison<Element>, subscribing: @escaping Subscribing) {
    self.comparison = comparison
    self.subscribing = subscribing
  }

  /// Subscribes to the list, unless the registry is already subscribed.
  ///
  /// - Parameter known: The elements to show if the store has been released.
  func connect(startingWith known: DeliveredElements<Element>) {
    guard token == nil else { return }
    delivered = known
    token = subscribing { [weak self] list in self?.receive(list) }
  }

  func element(_ id: Element.ID) -> Element? { delivered[id] }

  func add(_ id: Element.ID, _ receive: @escaping @MainActor (Element?) -> Void) -> Observer {
    let observer = Observer(turn: turn, receive)
    observers[id, default: []].append(observer)
    return observer
  }

  func remove(_ observer: Observer, of id: Element.ID) {
    observers[id]?.removeAll { $0 === observer }
    if observers[id]?.isEmpty == true { observers[id] = nil }
  }

  /// Notifies the observers of the elements that differ in a newer version of the list.
  ///
  /// If an observer causes an even newer version, that version is delivered during the call of
  /// the observer. The remaining observers receive the newest elements, and no observer is
  /// called twice for the same version.
  func receive(_ new: OrderedState<Element>) {
    if new.stamp == delivered.stamp { return }
    let observed = observers
    let changes = comparison.advance(&delivered, new) { Array(observed.keys) }
    turn += 1
    let turn = turn
    changes.forEach { change in
      guard let those = observers[change.id], comparison.changed(change) != nil else { return }
      for observer in those where observer.turn < turn {
        if observer.isCancelled { continue }
        observer.turn = self.turn
        observer.receive(delivered[change.id])
      }
    }
  }
}
