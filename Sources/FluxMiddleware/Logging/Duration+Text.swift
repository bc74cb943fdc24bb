extension Duration {
  /// The duration with three significant digits, in the unit that fits: `12 µs`, `1.25 ms`,
  /// `0.5 ns`.
  ///
  /// An amount that rounds up to a thousand of a unit is written in the next larger unit.
  /// Seconds are the largest unit, and are written with all the digits before the decimal
  /// point.
  package var shortText: String {
    if self < .zero { return "-\((.zero - self).shortText)" }
    let (seconds, attoseconds) = components
    var amount = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    for unit in ["ns", "µs", "ms"] {
      if let text = Self.text(amount, below: 1_000) { return "\(text) \(unit)" }
      amount /= 1_000
    }
    return "\(Self.text(amount, below: .infinity) ?? "\(amount)") s"
  }

  /// Returns a number with three significant digits and no trailing zeros, or `nil` if it
  /// reaches the bound.
  private static func text(_ amount: Double, below bound: Double) -> String? {
    // The number of decimals is chosen after rounding: to three digits, 9.999 is 10, not 10.00.
    for (decimals, power) in [(2, 100.0), (1, 10.0), (0, 1.0)] {
      let rounded = (amount * power).rounded()
      guard rounded < 1_000 || decimals == 0 else { continue }
      guard rounded / power < bound, let digits = Int(exactly: rounded) else { return nil }
      let whole = digits / Int(power)
      var fraction = String(digits % Int(power) + Int(power)).dropFirst()
      while fraction.last == "0" { fraction.removeLast() }
      return fraction.isEmpty ? "\(whole)" : "\(whole).\(fraction)"
    }
    return nil
  }
}
