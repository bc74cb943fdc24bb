import FluxCore

// The state of the suites of ReSwift: a person with one property that cannot be compared.

/// A value without `==`.
struct Mood: Sendable {
  var text = "calm"
}

struct Person: FluxState {
  var name = "Ada"
  var age: Int? = 36
  var mood = Mood()
}

struct SetName: Action {
  let name: String
}

struct SetAge: Action {
  let age: Int?
}

struct SetMood: Action {
  let mood: Mood
}

func personStore(_ middleware: Middleware<Person>..., state: Person = Person()) -> Store<Person> {
  let reducer: ActionHandlers<Person> = combine(
    on(SetName.self) { person, action in person.name = action.name },
    on(SetAge.self) { person, action in person.age = action.age },
    on(SetMood.self) { person, action in person.mood = action.mood })
  return Store(reducer: reducer, middleware: middleware, state: state)
}
