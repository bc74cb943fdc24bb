/// A reducer that its owner can call without retaining the reducer.
///
/// During the call, the caller must prevent the release of the reducer. The store prevents the
/// release by holding its lock.
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
