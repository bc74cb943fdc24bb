// The one file that uses `Unmanaged`: what the store holds on to anyway is called without being retained.

/// A reducer that its owner calls without retaining it for the length of the call.
///
/// Whoever calls it keeps it where it is meanwhile: the store does so under its lock.
@usableFromInline
struct HeldReducer<State>: Sendable {
  @usableFromInline
  final class Box: Sendable {
    @usableFromInline let reducer: MutatingReducer<State>

    @inlinable
    init(_ reducer: @escaping MutatingReducer<State>) {
      self.reducer = reducer
    }
  }

  @usableFromInline let box: Box
  @usableFromInline let unretained: Unmanaged<Box>

  @inlinable
  init(_ reducer: @escaping MutatingReducer<State>) {
    box = Box(reducer)
    unretained = .passUnretained(box)
  }
}

extension Unmanaged {
  @inlinable @inline(__always)
  func reduce<State>(_ state: inout State, _ action: any Action) where Instance == HeldReducer<State>.Box {
    _withUnsafeGuaranteedRef { $0.reducer(&state, action) }
  }
}

extension ObserverList {
  /// Delivers one snapshot to all observers that take it, in the order in which they subscribed.
  ///
  /// The list is retained for the length of the pass, and with it every observer in it, so that none needs a
  /// retain of its own, which would cost more than the call.
  @inlinable
  static func deliver<State>(_ state: State, version: UInt64, to slots: [Slot])
  where Receiver == StateReceiver<State> {
    withExtendedLifetime(slots) {
      slots.withUnsafeBufferPointer { slots in
        for index in slots.indices {
          guard let observer = slots[index].observer.map(Unmanaged.passUnretained) else { continue }
          observer._withUnsafeGuaranteedRef { observer in
            if observer.takes(version) { observer.receiver.call(state) }
          }
        }
      }
    }
  }
}

/// A state that is being reduced, lent to a reducer that is called with a part of it.
///
/// The reducer of a part has the shape that plug-ins know, which leaves no way to hand the whole along; and to put a
/// copy of it aside would make every change of it in place a copy. So this holds where it is for the length of the call,
/// which nobody outlives: reducers run one at a time.
final class StateBeingReduced<Whole>: Sendable {
  private struct Loan: Sendable {
    let address: UInt
    let action: ObjectIdentifier
    var isReduced = false
  }

  private let loan = Locked<Loan?>(nil)

  /// Lends a state for as long as a closure runs; returns whether it has been reduced meanwhile.
  func lend(_ whole: inout Whole, to action: any Action, _ body: () -> Void) -> Bool {
    withUnsafeMutablePointer(to: &whole) { pointer in
      let new = Loan(address: UInt(bitPattern: pointer), action: ObjectIdentifier(type(of: action)))
      let outer = loan.exchange(new)
      body()
      return loan.exchange(outer)?.isReduced == true
    }
  }

  /// Gives the state that is lent now, and whether this is the first time for the action that it was lent to.
  func reduce(_ action: any Action, _ body: (inout Whole, _ isFirst: Bool) -> Void) {
    let (address, isFirst) = loan.withLock { loan -> (UInt, Bool) in
      guard loan != nil else { return (0, false) }
      let isFirst = !loan!.isReduced && loan!.action == ObjectIdentifier(type(of: action))
      if isFirst { loan!.isReduced = true }
      return (loan!.address, isFirst)
    }
    guard let pointer = UnsafeMutablePointer<Whole>(bitPattern: address) else {
      Misuse.reducedOutsideStore(action)
    }
    body(&pointer.pointee, isFirst)
  }
}
