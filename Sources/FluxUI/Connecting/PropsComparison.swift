/// Says which props of a connection show the same, so that nobody has to look again.
public struct PropsComparison<Props> {
  /// Whether two props show the same; without it any may differ, and they are not even made until they are asked for.
  let areEqual: ((Props, Props) -> Bool)?

  /// Props are never compared: each delivery may have changed them, and the mapping runs when they are asked for.
  @MainActor public static var never: PropsComparison { PropsComparison(areEqual: nil) }

  /// Props show the same if a closure says so.
  @MainActor
  public static func by(_ areEqual: @escaping (Props, Props) -> Bool) -> PropsComparison {
    PropsComparison(areEqual: areEqual)
  }
}

extension PropsComparison where Props: Equatable {
  /// Props show the same if they are equal.
  @MainActor public static var equality: PropsComparison { .by { $0 == $1 } }
}
