#if canImport(Combine)
  /// The number of changes that a subscriber has requested but not yet received.
  struct ChangeDemand: Sendable, Equatable {
    /// The number of changes; `nil` if the demand is unlimited.
    private var count: Int?

    /// Creates a demand for a number of changes, or an unlimited demand if the number is `nil`.
    init(_ count: Int?) {
      self.count = count
    }

    /// A Boolean value that indicates whether no changes are requested.
    var isEmpty: Bool { count == 0 }

    /// Adds another demand to this demand.
    mutating func add(_ other: ChangeDemand) {
      guard let count, let more = other.count else { return count = nil }
      let (sum, overflows) = count.addingReportingOverflow(more)
      self.count = overflows ? nil : sum
    }

    /// Subtracts one change from the demand, and returns whether the demand was greater than
    /// zero.
    mutating func takeOne() -> Bool {
      guard let count else { return true }
      guard count > 0 else { return false }
      self.count = count - 1
      return true
    }
  }
#endif
