extension Duration {
  /// The duration to three significant digits, in the unit that fits it: `12 µs`, `1.25 ms`, `0.5 ns`.
  ///
  /// What rounds up to a thousand of a unit is told in the next one. Seconds are the largest, with all the
  /// digits in front of the point.
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

  /// A number to three significant digits without zeros at the end, or `nil` if that is as much as a bound.
  private static func text(_ amount: Double, below bound: Double) -> String? {
    // The decimals are counted after rounding to each: 9.999 is 10 to three digits, and not 10.00.
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
