public import FluxCore

/// An observer of one element.
@usableFromInline
final class ElementObserver<Element: Sendable>: Sendable {
  @usableFromInline
  enum Status: Sendable {
    /// The subscriber, and not the delivering thread, calls the observer with the newest missed
    /// element.
    case starting(missed: Element??)
    case active
    case cancelled
  }

  @usableFromInline let status = Locked(Status.starting(missed: nil))
  @usableFromInline let receive: @Sendable (Element?) -> Void

  init(_ receive: @escaping @Sendable (Element?) -> Void) {
    self.receive = receive
  }

  /// Calls the observer with the current element, and again if the element changes during a call.
  func start(with element: Element?, initial: Bool) {
    if initial, isWanted { receive(element) }
    while let missed = nextMissed() { receive(missed) }
  }

  /// Notifies the observer of a newer value of the element, on the delivering thread.
  @inlinable
  func tell(_ element: Element?) {
    let isActive = status.withLock { status in
      switch status {
      case .active: return true
      case .cancelled: return false
      case .starting:
        status = .starting(missed: .some(element))
        return false
      }
    }
    if isActive { receive(element) }
  }

  func cancel() {
    _ = status.exchange(.cancelled)
  }

  private var isWanted: Bool {
    status.withLock { status in
      if case .cancelled = status { false } else { true }
    }
  }

  private func nextMissed() -> Element?? {
    status.withLock { status in
      guard case .starting(let missed) = status else { return nil }
      status = missed == nil ? .active : .starting(missed: nil)
      return missed
    }
  }
}
