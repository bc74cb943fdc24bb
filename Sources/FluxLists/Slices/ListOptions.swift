public import FluxAsync

/// How a list is loaded.
public struct ListOptions<Item: Sendable>: Sendable {
  /// What becomes of a load that takes long, or fails: ``WorkPolicy/timingOut(after:)``,
  /// ``WorkPolicy/retrying(_:)``.
  ///
  /// Beside another load of the list the newest runs, unless it says otherwise. What it is keyed by does not
  /// count.
  public var policy = WorkPolicy.latest
  /// How long a list is good for, until ``ListSlice/loadIfNeeded`` loads it again; `nil` for ever.
  public var lifetime: Duration?
  /// How near to the end of the list an item has to be for ``ListSlice/shown(_:)`` to load the next page.
  public var prefetchDistance = 5
  /// Makes of an item that is shown, and the same one as a refresh brings it, the one to show; `nil` takes
  /// the new one.
  public var merge: (@Sendable (_ old: Item, _ new: Item) -> Item)?

  /// Creates the usual options.
  public init(
    policy: WorkPolicy = .latest, lifetime: Duration? = nil, prefetchDistance: Int = 5,
    merge: (@Sendable (_ old: Item, _ new: Item) -> Item)? = nil
  ) {
    self.policy = policy
    self.lifetime = lifetime
    self.prefetchDistance = prefetchDistance
    self.merge = merge
  }
}
