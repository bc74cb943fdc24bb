import Testing

@Suite(
  "ReSwift: TypeHelper",
  .cases(of: "ReSwift/ReSwift", "ReSwiftTests/TypeHelperTests.swift", at: "11f0a2e4", count: 3))
struct TypeHelperTests {
  static let meaningless = [
    MeaninglessCase(
      1, "a reducer is called if the state can be cast to its type",
      because: "The type of a reducer contains the type of the state, so the state is never cast."),
    MeaninglessCase(
      2, "a reducer is called if there is no state yet", because: "A store always has a state."),
    MeaninglessCase(
      3, "a reducer is not called if the state cannot be cast to its type",
      because: "The compiler rejects a reducer of another state type."),
  ]
}
