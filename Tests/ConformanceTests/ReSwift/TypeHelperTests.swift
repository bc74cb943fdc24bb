import Testing

@Suite(
  "ReSwift: TypeHelper",
  .cases(of: "ReSwift/ReSwift", "ReSwiftTests/TypeHelperTests.swift", at: "11f0a2e4", count: 3))
struct TypeHelperTests {
  static let meaningless = [
    MeaninglessCase(
      1, "a reducer is called if the state can be cast to its type",
      because: "A reducer's type has that of the state in it: nothing is cast."),
    MeaninglessCase(
      2, "a reducer is called if there is no state yet", because: "There is a state from the beginning."),
    MeaninglessCase(
      3, "a reducer is not called if the state cannot be cast to its type",
      because: "The compiler takes no reducer of another state."),
  ]
}
