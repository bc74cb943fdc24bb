public import FluxAsync

/// Options that control how a list is loaded.
public struct ListOptions<Item: Sendable>: Sendable {
  /// The policy of loads, such as ``WorkPolicy/timingOut(after:)`` or
  /// ``WorkPolicy/retrying(_:)``.
  ///
  /// With the default, ``WorkPolicy/latest``, a reload or refresh cancels the load that is
  /// running. The key of the policy has no effect, because all loads of a list share the id of
  /// the list.
  public var policy = WorkPolicy.latest
  /// The time after which ``ListSlice/loadIfNeeded`` loads the list again.
  ///
  /// If the value is `nil`, the list does not expire.
  public var lifetime: Duration?
  /// The number of items at the end of the list for which ``ListSlice/shown(_:)`` loads the next
  /// page.
  public var prefetchDistance = 5
  /// A closure that merges an item of the list with the same item from a refresh.
  ///
  /// The list shows the item that the closure returns. If the value is `nil`, the list shows the
  /// new item.
  public var merge: (@Sendable (_ old: Item, _ new: Item) -> Item)?

  /// Creates options.
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
