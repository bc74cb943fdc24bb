import Synchronization

/// The observers of a list's elements on the main actor, by id, and the version that they know.
@MainActor
final class MainElementRegistry<Element: Identifiable & Sendable> where Element.ID: Sendable {
  /// One observer of one element.
  @MainActor
  final class Observer {
    let receive: @MainActor (Element?) -> Void
    /// The version that it knows.
    var turn: UInt64
    /// Told from any thread, since tokens are dropped on any.
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

  private let comparison: ElementComparison<Element>
  private var list = OrderedState<Element>()
  /// How many versions there have been.
  private var turn: UInt64 = 0
  private var observers: [Element.ID: [Observer]] = [:]

  init(_ comparison: ElementComparison<Element>) {
    self.comparison = comparison
  }

  func element(_ id: Element.ID) -> Element? { list[id: id] }

  func add(_ id: Element.ID, _ receive: @escaping @MainActor (Element?) -> Void) -> Observer {
    let observer = Observer(turn: turn, receive)
    observers[id, default: []].append(observer)
    return observer
  }

  func remove(_ observer: Observer, of id: Element.ID) {
    observers[id]?.removeAll { $0 === observer }
    if observers[id]?.isEmpty == true { observers[id] = nil }
  }

  /// Tells those whose elements differ in a newer version.
  ///
  /// An observer may bring about a newer one yet, which is told inside its call: what is left of this one is
  /// told as it is by then, and nobody twice.
  func receive(_ new: OrderedState<Element>) {
    let old = list
    list = new
    turn += 1
    let turn = turn
    for id in comparison.changedIDs(old, new) ?? Array(observers.keys) {
      guard let those = observers[id], comparison.changed(id, old, new) != nil else { continue }
      for observer in those where observer.turn < turn {
        if observer.isCancelled { continue }
        observer.turn = self.turn
        observer.receive(list[id: id])
      }
    }
  }
}
