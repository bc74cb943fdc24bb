// The only file that uses `Unmanaged`, to call objects that the store retains without another
// retain.

/// A reducer that its owner calls without a retain for the duration of the call.
///
/// The caller must keep the reducer in place during the call. The store does so under its lock.
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
  /// Delivers one snapshot to all observers that need it, in the order in which they
  /// subscribed.
  ///
  /// The function retains the list, and thereby every observer in it, for the duration of the
  /// pass. Otherwise, each observer would need a retain, which costs more than the call.
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

/// A reference to the state that is being reduced, for a reducer that is called with a part of
/// that state.
///
/// Plug-ins fix the signature of a part's reducer, so the whole state cannot be an argument. A
/// stored copy of the whole state would turn each in-place change into a copy. Therefore, this
/// type stores the address of the state during the call. The address does not outlive the call,
/// because reducers run one at a time.
final class StateBeingReduced<Whole>: Sendable {
  private struct Loan: Sendable {
    let address: UInt
    let action: ObjectIdentifier
    var isReduced = false
  }

  private let loan = Locked<Loan?>(nil)

  /// Lends a state while a closure runs, and returns whether the closure reduced the lent
  /// state.
  func lend(_ whole: inout Whole, to action: any Action, _ body: () -> Void) -> Bool {
    withUnsafeMutablePointer(to: &whole) { pointer in
      let new = Loan(address: UInt(bitPattern: pointer), action: ObjectIdentifier(type(of: action)))
      let outer = loan.exchange(new)
      body()
      return loan.exchange(outer)?.isReduced == true
    }
  }

  /// Calls a closure with the lent state.
  ///
  /// The second argument of the closure is `true` for the first reduction of the lent action.
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
