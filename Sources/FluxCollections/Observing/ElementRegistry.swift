public import FluxCore

/// The observers of a list's elements, stored by id, and the list version that was delivered
/// last.
@usableFromInline
final class ElementRegistry<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    /// The version of the list that was delivered last.
    @usableFromInline var list = OrderedState<Element>()
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

  /// The version of the list that was delivered last.
  var list: OrderedState<Element> { contents.withLock { $0.list } }

  // MARK: - Adding and removing

  func add(
    _ id: Element.ID, initial: Bool, _ receive: @escaping @Sendable (Element?) -> Void
  ) -> ElementObserver<Element> {
    let observer = ElementObserver(receive)
    // The observer begins with this version, and is notified of each later version.
    let element = contents.withLock { contents in
      contents.observers[id, default: []].append(Entry(observer: observer, turn: contents.turn))
      return contents.list[id: id]
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
    let (old, turn) = contents.withLock { contents in
      let old = contents.list
      contents.list = new
      contents.turn += 1
      return (old, contents.turn)
    }
    let ids = comparison.changedIDs(old, new) ?? contents.withLock { Array($0.observers.keys) }
    for id in ids {
      let entries = contents.withLock { $0.observers[id] }
      guard let entries, let element = comparison.changed(id, old, new) else { continue }
      // An observer that was added in the meantime already has this version.
      for entry in entries where entry.turn < turn { entry.observer.tell(element) }
    }
  }
}
