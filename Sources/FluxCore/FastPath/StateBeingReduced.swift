/// A reference to the state that is being reduced, for a reducer that is called with a part of
/// that state.
///
/// The interface of plug-ins determines the signature of a part's reducer, so the whole state
/// cannot be passed as an argument. A stored copy of the whole state would turn each in-place
/// change into a copy. Therefore, this type stores the address of the state during the call.
/// The address is never used after the call, because reducers run one at a time.
final class StateBeingReduced<Whole>: Sendable {
  private struct Loan: Sendable {
    let address: UInt
    let action: ObjectIdentifier
    var isReduced = false
  }

  private let loan = Locked<Loan?>(nil)

  /// Makes a state available to ``reduce(_:_:)`` while a closure runs, and returns whether the
  /// closure reduced the state.
  func lend(_ whole: inout Whole, to action: any Action, _ body: () -> Void) -> Bool {
    withUnsafeMutablePointer(to: &whole) { pointer in
      let new = Loan(address: UInt(bitPattern: pointer), action: ObjectIdentifier(type(of: action)))
      let outer = loan.exchange(new)
      body()
      return loan.exchange(outer)?.isReduced == true
    }
  }

  /// Calls a closure with the state that `lend(_:to:_:)` has made available.
  ///
  /// The second argument of the closure is `true` for the first reduction of the action that was
  /// passed to `lend(_:to:_:)`.
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
