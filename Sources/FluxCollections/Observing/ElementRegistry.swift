public import FluxCore

/// The observers of a list's elements by id, and the most recently delivered elements.
@usableFromInline
final class ElementRegistry<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var delivered = DeliveredElements<Element>()
    /// The number of versions that were delivered.
    @usableFromInline var turn: UInt64 = 0
    @usableFromInline var observers: [Element.ID: [Entry]] = [:]

    @inlinable
    init() {}
  }

  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let observer: ElementObserver<Element>
    /// The number of the version that was current when the observer was added.
    @usableFromInline let turn: UInt64
  }

  @usableFromInline let contents = Locked(Contents())
  @usableFromInline let comparison: ElementComparison<Element>

  @inlinable
  init(_ comparison: ElementComparison<Element>) {
    self.comparison = comparison
  }

  /// The most recently delivered elements.
  var delivered: DeliveredElements<Element> { contents.withLock { $0.delivered } }

  // MARK: - Adding and removing

  func add(
    _ id: Element.ID, initial: Bool, _ receive: @escaping @Sendable (Element?) -> Void
  ) -> ElementObserver<Element> {
    let observer = ElementObserver(receive)
    // The observer begins with this version, and is notified of each later version.
    let element = contents.withLock { contents in
      contents.observers[id, default: []].append(Entry(observer: observer, turn: contents.turn))
      return contents.delivered[id]
    }
    observer.start(with: element, initial: initial)
    return observer
  }

  func remove(_ observer: ElementObserver<Element>, of id: Element.ID) {
    observer.cancel()
    contents.withLock { contents in
      contents.observers[id]?.removeAll { $0.observer === observer }
      if contents.observers[id]?.isEmpty == true { contents.observers[id] = nil }
    }
  }

  // MARK: - Delivering

  /// Notifies the observers of the elements that differ in a newer version of the list.
  ///
  /// This method is called on the delivering thread, one call at a time.
  @inlinable
  func receive(_ new: OrderedState<Element>) {
    let (changes, turn) = contents.withLock { contents in
      let observers = contents.observers
      let changes = comparison.advance(&contents.delivered, new) { Array(observers.keys) }
      contents.turn += 1
      return (changes, contents.turn)
    }
    changes.forEach { change in
      let entries = contents.withLock { $0.observers[change.id] }
      guard let entries, let element = comparison.changed(change) else { return }
      // An observer that was added in the meantime already has this version.
      for entry in entries where entry.turn < turn { entry.observer.tell(element) }
    }
  }
}
