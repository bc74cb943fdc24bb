import FluxCore
import TestSupport
import Testing

private struct Shelf: FluxState, Equatable {
  var counter = 0
  var stack: [String] = []
  var labels = ["kept"]
}

private struct Increment: Action {}

private struct Push: Action {
  let value: String
}

private let counter: Reducer<Int> = { count, action in action is Increment ? count + 1 : count }
private let stack: Reducer<[String]> = { stack, action in
  if let action = action as? Push { stack + [action.value] } else { stack }
}
private let labels: Reducer<[String]> = { labels, _ in labels }

private let shelf: Reducer<Shelf> = combine(
  lift(counter, to: \.counter), lift(stack, to: \.stack), lift(labels, to: \.labels))

/// The address of an array's elements.
private func storage(of array: [String]) -> UnsafeRawPointer? {
  array.withUnsafeBytes { $0.baseAddress }
}

@Suite(
  "Redux: combineReducers",
  .cases(of: "reduxjs/redux", "test/combineReducers.spec.ts", at: "3084fc33", count: 16))
struct CombineReducersTests {
  @Test("combined reducers each change their own part of the state", .holds(1))
  func parts() {
    let first = shelf(Shelf(), Increment())
    #expect(first == Shelf(counter: 1))
    #expect(shelf(first, Push(value: "a")) == Shelf(counter: 1, stack: ["a"]))
  }

  @Test("when no reducer changes its part, the whole state keeps its storage", .holds(7))
  func unchanged() {
    let before = Shelf(stack: ["a"])
    let after = shelf(before, Unknown())
    #expect(after == before)
    #expect(storage(of: after.stack) == storage(of: before.stack))
    #expect(storage(of: after.labels) == storage(of: before.labels))
  }

  @Test(
    "when one reducer changes its part, the other parts keep their storage", .holds(8))
  func changed() {
    let before = Shelf(stack: ["a"])
    let after = shelf(before, Push(value: "b"))
    #expect(after != before)
    #expect(storage(of: after.stack) != storage(of: before.stack))
    #expect(storage(of: after.labels) == storage(of: before.labels))
  }

  @Test(
    "a store sends no action of its own, neither when it is made nor when its reducer is replaced",
    .differs(
      9,
      because: """
        Redux sends private actions to create the initial state. A store of Flux is created with an \
        initial state.
        """))
  func noPrivateActions() {
    let reduced = Recorder<String>()
    let noting: MutatingReducer<Shelf> = { _, action in reduced.record("\(type(of: action))") }
    let store = Store(reducer: noting, state: Shelf())
    store.replaceReducer(noting)
    store.dispatch(Increment())
    #expect(reduced.values == ["Increment"])
  }

  @Test(
    "the combination of no reducers leaves the state as it is",
    .differs(
      10,
      because: """
        Redux prints a warning. In Flux, the combination of reducers is associative, and the combination \
        of no reducers is its neutral element.
        """))
  func none() {
    let none: Reducer<Shelf> = combine()
    let nobody: ActionHandlers<Shelf> = combine()
    var state = Shelf(counter: 3)
    nobody(&state, Increment())
    #expect(state == Shelf(counter: 3))
    #expect(none(state, Increment()) == Shelf(counter: 3))
    let counting: Reducer<Shelf> = { shelf, _ in Shelf(counter: shelf.counter + 1) }
    for both in [combine(none, counting), combine(counting, none)] {
      #expect(both(state, Increment()) == Shelf(counter: 4))
    }
  }

  // MARK: Replacing

  /// The state before a combined reducer is replaced, after the replacement, and after the next
  /// action.
  private func states(
    from first: @escaping Reducer<Shelf>, to second: @escaping Reducer<Shelf>
  ) -> (before: Shelf, replaced: Shelf, after: Shelf) {
    let store = Store(reducer: first, state: Shelf())
    store.dispatch(Increment())
    let before = store.state
    store.replaceReducer(second)
    let replaced = store.state
    store.dispatch(Increment())
    return (before, replaced, store.state)
  }

  @Test(
    "an added reducer changes the state from the next action on",
    .differs(
      13,
      because: """
        Redux adds the part to the state when the reducer is replaced. In Flux, the state contains every \
        part from the beginning.
        """
    ))
  func added() {
    let found = states(from: combine(lift(stack, to: \.stack)), to: shelf)
    #expect(found.replaced == found.before)
    #expect(found.after == Shelf(counter: 1))
  }

  @Test(
    "a reducer of another part changes the state from the next action on",
    .differs(
      14,
      because: """
        Redux replaces the parts of the state together with the reducer. In Flux, the type of the state \
        determines its parts.
        """))
  func exchanged() {
    let found = states(
      from: combine(lift(stack, to: \.stack), lift(labels, to: \.labels)),
      to: combine(lift(counter, to: \.counter), lift(labels, to: \.labels)))
    #expect(found.replaced == found.before)
    #expect(found.after == Shelf(counter: 1))
  }

  @Test("the same reducers, combined again, do not change the state", .holds(15))
  func same() {
    let parts: Reducer<Shelf> = combine(lift(stack, to: \.stack), lift(labels, to: \.labels))
    let found = states(from: parts, to: combine(lift(stack, to: \.stack), lift(labels, to: \.labels)))
    #expect(found.replaced == found.before)
    #expect(found.after == found.before)
    #expect(storage(of: found.after.labels) == storage(of: found.before.labels))
  }

  @Test(
    "a part whose reducer is removed keeps its last value",
    .differs(
      16,
      because: """
        Redux removes the part from the state. In Flux, the part is a property of the state's type, and \
        keeps its value.
        """))
  func removed() {
    let found = states(from: shelf, to: combine(lift(stack, to: \.stack)))
    #expect(found.before == Shelf(counter: 1))
    #expect(found.replaced == found.before)
    #expect(found.after == found.before)
  }

  static let meaningless = [
    MeaninglessCase(
      2, "a combination ignores values that are not functions",
      because: "The compiler accepts only reducers."),
    MeaninglessCase(
      3, "a part without a reducer causes a warning",
      because: "The compiler does not accept `nil` as a reducer."),
    MeaninglessCase(
      4, "a reducer that returns nothing for an action is an error",
      because: "The type of a reducer requires it to return a state."
    ),
    MeaninglessCase(
      5, "a reducer that returns nothing when it is first called is an error",
      because: """
        The type of a reducer requires it to return a state, and a store does not call a reducer to \
        create the initial state.
        """),
    MeaninglessCase(
      6, "an error that a reducer throws when it is first called is thrown again",
      because: "The type of a reducer does not permit it to throw."),
    MeaninglessCase(
      11, "a state that lacks the parts of the reducers causes a warning",
      because: """
        A reducer is lifted with a key path or an accessor of the state, which the compiler checks.
        """),
    MeaninglessCase(
      12, "an unknown part causes a single warning",
      because: "The compiler rejects parts that the state does not have."),
  ]
}
