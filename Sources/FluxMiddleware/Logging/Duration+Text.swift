extension Duration {
  /// The duration with three significant digits, in an appropriate unit, such as `12 µs`,
  /// `1.25 ms`, or `0.5 ns`.
  ///
  /// If an amount rounds up to 1,000 of a unit, the text uses the next larger unit. The largest
  /// unit is the second. A number of seconds keeps all its digits before the decimal point.
  package var shortText: String {
    if self < .zero { return "-\((.zero - self).shortText)" }
    let (seconds, attoseconds) = components
    var amount = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    for unit in [" ns", " µs", " ms"] {
      if let text = Self.text(amount, below: 1_000) { return text + unit }
      amount /= 1_000
    }
    return "\(Self.text(amount, below: .infinity) ?? "\(amount)") s"
  }

  /// Returns a number with three significant digits and no trailing zeros, or `nil` if the
  /// rounded number reaches the bound.
  private static func text(_ amount: Double, below bound: Double) -> String? {
    // The number of decimals depends on the rounded number. For example, 9.999 becomes 10 and
    // not 10.00.
    for (decimals, power) in [(2, 100.0), (1, 10.0), (0, 1.0)] {
      let rounded = (amount * power).rounded()
      guard rounded < 1_000 || decimals == 0 else { continue }
      guard rounded / power < bound, let digits = Int(exactly: rounded) else { return nil }
      let (whole, fraction) = digits.quotientAndRemainder(dividingBy: Int(power))
      if fraction == 0 { return String(whole) }
      if decimals == 1 { return String(whole) + "." + String(fraction) }
      if fraction % 10 == 0 { return String(whole) + "." + String(fraction / 10) }
      return String(whole) + (fraction < 10 ? ".0" : ".") + String(fraction)
    }
    return nil
  }
}
