/// A comparison that decides whether two sets of props are equivalent.
///
/// A connection does not notify readers if the new props are equivalent to the previous ones.
public struct PropsComparison<Props> {
  /// The closure that returns whether two sets of props are equivalent.
  ///
  /// If there is no closure, any delivery can change the props, and the mapping runs only when
  /// the props are read.
  let areEqual: ((Props, Props) -> Bool)?

  /// A comparison that never runs: each delivery counts as a change, and the mapping runs when
  /// the props are read.
  @MainActor public static var never: PropsComparison { PropsComparison(areEqual: nil) }

  /// Returns a comparison by a closure that returns whether two sets of props are equivalent.
  @MainActor
  public static func by(_ areEqual: @escaping (Props, Props) -> Bool) -> PropsComparison {
    PropsComparison(areEqual: areEqual)
  }
}

extension PropsComparison where Props: Equatable {
  /// A comparison by equality.
  @MainActor public static var equality: PropsComparison { .by { $0 == $1 } }
}
