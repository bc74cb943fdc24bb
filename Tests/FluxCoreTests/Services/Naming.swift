/// A service that is found by a protocol.
protocol Naming: Sendable {
  func name(of number: Int) -> String
}

/// A service that is found by its type.
struct Prefixed: Naming {
  var prefix = "n"

  func name(of number: Int) -> String { "\(prefix)\(number)" }
}

/// A service that is a structure of closures.
struct IDs: Sendable {
  var next: @Sendable () -> Int
}
