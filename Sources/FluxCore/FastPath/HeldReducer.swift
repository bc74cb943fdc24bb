/// A reducer that its owner can call without retaining the reducer.
///
/// The caller must keep the reducer alive during the call. The store holds its lock during the
/// call, so that no other thread can release the reducer.
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
