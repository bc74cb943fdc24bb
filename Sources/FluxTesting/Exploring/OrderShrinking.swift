/// The search for a failing order with few deviations, which begins with any failing order.
///
/// Each attempt removes some deviations. If the order still fails, the search continues with its
/// deviations. At first, an attempt removes half of the deviations. If no such attempt fails, the
/// attempts remove half as many, until no single deviation can be removed. The idea comes from
/// delta debugging (Zeller).
struct OrderShrinking: Sendable {
  /// The deviations of the last order that failed, in their order.
  private(set) var deviations: [ReplayText.Deviation]
  /// The number of deviations that an attempt removes.
  private var size: Int
  /// The index of the first deviation that the next attempt removes.
  private var start = 0
  /// A Boolean value that indicates whether an attempt has found a smaller order since `start` was
  /// zero.
  private var hasShrunk = false

  init(_ order: ReplayText) {
    deviations = order.deviations
    size = max(1, deviations.count / 2)
  }

  /// Returns the deviations to try next, or `nil` if no deviation can be removed.
  mutating func next() -> [ReplayText.Deviation]? {
    while start >= deviations.count {
      guard size > 1 || hasShrunk, !deviations.isEmpty else { return nil }
      size = hasShrunk ? min(size, deviations.count) : size / 2
      (start, hasShrunk) = (0, false)
    }
    return Array(deviations[..<start] + deviations[min(start + size, deviations.count)...])
  }

  /// Records the result of the last attempt.
  ///
  /// - Parameter order: The order if it failed, or `nil`.
  /// - Returns: A Boolean value that indicates whether the order is smaller than the last order
  ///   that failed.
  mutating func record(_ order: ReplayText?) -> Bool {
    guard let order, order.deviations.count < deviations.count else {
      start += size
      return false
    }
    deviations = order.deviations
    hasShrunk = true
    return true
  }
}
