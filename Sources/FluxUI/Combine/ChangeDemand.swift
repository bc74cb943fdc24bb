#if canImport(Combine)
  /// How many more changes a subscriber requests.
  struct ChangeDemand: Sendable, Equatable {
    /// The number of changes; `nil` for all.
    private var count: Int?

    /// Creates a demand for a number of changes, or for all if the number is `nil`.
    init(_ count: Int?) {
      self.count = count
    }

    /// A Boolean value that indicates whether no change is requested.
    var isEmpty: Bool { count == 0 }

    /// Adds another demand.
    mutating func add(_ other: ChangeDemand) {
      guard let count, let more = other.count else { return count = nil }
      let (sum, overflows) = count.addingReportingOverflow(more)
      self.count = overflows ? nil : sum
    }

    /// Uses up the demand for one change; returns whether there was any.
    mutating func takeOne() -> Bool {
      guard let count else { return true }
      guard count > 0 else { return false }
      self.count = count - 1
      return true
    }
  }
#endif
