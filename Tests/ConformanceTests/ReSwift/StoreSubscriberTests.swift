import FluxCore
import TestSupport
import Testing

/// The values that an observer receives first, and for two actions of which only the second
/// changes the value.
private func heard<Part: Sendable>(
  of same: any Action, _ other: any Action,
  _ subscribe: (Store<Person>, @escaping @Sendable (Part) -> Void) -> SubscriptionToken
) -> [Part] {
  let (store, heard) = (personStore(), Recorder<Part>())
  let token = subscribe(store, heard.record)
  store.dispatch(same)
  store.dispatch(other)
  token.cancel()
  return heard.values
}

/// The values that an observer of the name receives, which is first set to its present value.
private func heardOfName(
  _ subscribe: (Store<Person>, @escaping @Sendable (String) -> Void) -> SubscriptionToken
) -> [String] {
  heard(of: SetName(name: "Ada"), SetName(name: "Grace"), subscribe)
}

/// The values that an observer of the mood receives, which has no `==`.
private func heardOfMood(
  _ subscribe: (Store<Person>, @escaping @Sendable (Mood) -> Void) -> SubscriptionToken
) -> [String] {
  heard(of: SetMood(mood: Mood()), SetMood(mood: Mood(text: "merry")), subscribe).map(\.text)
}

@Suite(
  "ReSwift: StoreSubscriber",
  .cases(of: "ReSwift/ReSwift", "ReSwiftTests/StoreSubscriberTests.swift", at: "11f0a2e4", count: 22))
struct StoreSubscriberTests {
  // MARK: Observed values

  @Test("a closure selects an optional part, which may become nil", .holds(1))
  func closure() {
    let ages = heard(of: SetAge(age: 3), SetAge(age: nil)) { $0.subscribe(to: { $0.age }, $1) }
    #expect(ages == [36, 3, nil])
  }

  @Test("a key path selects an optional part, which may become nil", .holds(2))
  func path() {
    let ages = heard(of: SetAge(age: 3), SetAge(age: nil)) { $0.subscribe(to: \.age, $1) }
    #expect(ages == [36, 3, nil])
  }

  @Test("a selected value may consist of several parts", .holds(3))
  func severalParts() {
    let pairs: [(Int?, String)] = heard(of: SetAge(age: 5), SetMood(mood: Mood(text: "merry"))) {
      $0.subscribe(to: { ($0.age, $0.mood.text) }, by: ==, $1)
    }
    #expect(pairs.map(\.0) == [36, 5, 5])
    #expect(pairs.map(\.1) == ["calm", "calm", "merry"])
  }

  // MARK: Comparisons

  @Test("a part from a closure is not delivered when a comparison calls its new value equal", .holds(4))
  func sameByClosure() {
    let names = heardOfName { $0.subscribe(to: { $0.name }, by: { $0 == $1 }, $1) }
    #expect(names == ["Ada", "Grace"])
  }

  @Test("a part at a key path is not delivered when a comparison calls its new value equal", .holds(5))
  func sameAtPath() {
    #expect(heardOfName { $0.subscribe(to: \.name, by: { $0 == $1 }, $1) } == ["Ada", "Grace"])
  }

  @Test("a part from a closure is not delivered when its own `==` calls the new value equal", .holds(6))
  func equalByClosure() {
    #expect(heardOfName { $0.subscribe(to: { $0.name }, by: ==, $1) } == ["Ada", "Grace"])
  }

  @Test("a part at a key path is not delivered when its own `==` calls the new value equal", .holds(7))
  func equalAtPath() {
    #expect(heardOfName { $0.subscribe(to: \.name, by: ==, $1) } == ["Ada", "Grace"])
  }

  @Test("a part without `==` that a closure returns is compared by a closure", .holds(8))
  func withoutEqualityByClosure() {
    let moods = heardOfMood { $0.subscribe(to: { $0.mood }, by: { $0.text == $1.text }, $1) }
    #expect(moods == ["calm", "merry"])
  }

  @Test("a part without `==` at a key path is compared by a closure", .holds(9))
  func withoutEqualityAtPath() {
    let moods = heardOfMood { $0.subscribe(to: \.mood, by: { $0.text == $1.text }, $1) }
    #expect(moods == ["calm", "merry"])
  }

  @Test(
    "a part without `==` from a closure is delivered after each action if the comparison is always false",
    .differs(
      10,
      because: """
        ReSwift delivers such a part after each action by default. In Flux, the observer specifies a \
        comparison.
        """)
  )
  func everyMoodByClosure() {
    let moods = heardOfMood { $0.subscribe(to: { $0.mood }, by: { _, _ in false }, $1) }
    #expect(moods == ["calm", "calm", "merry"])
  }

  @Test(
    "a part without `==` at a key path is delivered after each action if the comparison is always false",
    .differs(
      11,
      because: """
        ReSwift delivers such a part after each action by default. In Flux, the observer specifies a \
        comparison.
        """)
  )
  func everyMoodAtPath() {
    let moods = heardOfMood { $0.subscribe(to: \.mood, by: { _, _ in false }, $1) }
    #expect(moods == ["calm", "calm", "merry"])
  }

  @Test(
    "a part with `==` from a closure is delivered after each action if the comparison is always false",
    .differs(
      12,
      because: """
        In ReSwift, an option of the store applies to all observers. In Flux, each observer has its own \
        comparison.
        """))
  func everyNameByClosure() {
    let names = heardOfName { $0.subscribe(to: { $0.name }, by: { _, _ in false }, $1) }
    #expect(names == ["Ada", "Ada", "Grace"])
  }

  @Test(
    "a part with `==` at a key path is delivered after each action if the comparison is always false",
    .differs(
      13,
      because: """
        In ReSwift, an option of the store applies to all observers. In Flux, each observer has its own \
        comparison.
        """))
  func everyNameAtPath() {
    let names = heardOfName { $0.subscribe(to: \.name, by: { _, _ in false }, $1) }
    #expect(names == ["Ada", "Ada", "Grace"])
  }

  // MARK: The whole state

  /// The values that an observer receives for two actions of which only the first changes
  /// something.
  private func heardOfParts(
    _ subscribe: (Store<Parts>, @escaping @Sendable (Parts) -> Void) -> SubscriptionToken
  ) -> [Int] {
    let (store, heard) = (partsStore(), Recorder<Parts>())
    let token = subscribe(store, heard.record)
    for _ in 1...2 { store.dispatch(SetFoo()) }
    token.cancel()
    return heard.values.map(\.foo)
  }

  @Test(
    "an unchanged state with `==` is not delivered if the whole state is observed as a slice",
    .differs(
      14,
      because: """
        ReSwift skips equal states by default. Flux calls an observer of the whole state after each \
        action, because a comparison can take time that is proportional to the size of the state.
        """))
  func sameState() {
    #expect(heardOfParts { $0.subscribe(to: { $0 }, $1) } == [0, 1])
  }

  @Test("an observer of all of the state is called after each action, even if nothing is changed", .holds(18))
  func everyState() {
    #expect(heardOfParts { $0.subscribe($1) } == [0, 1, 1])
  }

  // MARK: Nested parts

  /// The descriptions of the mood that an observer receives, which is first set to its present
  /// value.
  private func heardOfText(
    _ subscribe: (Store<Person>, @escaping @Sendable (String) -> Void) -> SubscriptionToken
  ) -> [String] {
    heard(of: SetMood(mood: Mood()), SetMood(mood: Mood(text: "merry")), subscribe)
  }

  @Test("a part with `==` of a value without it is delivered only when it differs, by a closure", .holds(15))
  func partOfPartByClosure() {
    #expect(heardOfText { $0.subscribe(to: { $0.mood.text }, $1) } == ["calm", "merry"])
  }

  @Test("a source of states, such as a store or a proxy, can be passed as a generic argument", .holds(16))
  func generic() {
    func subscribe(
      to source: some StateSource<Person>, _ receive: @escaping @Sendable (String) -> Void
    ) -> SubscriptionToken {
      source.subscribe(to: \.mood.text, receive)
    }
    #expect(heardOfText { subscribe(to: $0, $1) } == ["calm", "merry"])
    #expect(heardOfText { subscribe(to: $0.proxy, $1) } == ["calm", "merry"])
  }

  @Test("a part with `==` of a value without it is delivered only when it differs, by a key path", .holds(17))
  func partOfPartAtPath() {
    #expect(heardOfText { $0.subscribe(to: \.mood.text, $1) } == ["calm", "merry"])
  }

  // MARK: Comparing with the previous state

  /// The ages that an observer receives while the age is set to 1, 2, and so on up to 7.
  private func ages(
    _ subscribe: (Store<Person>, @escaping @Sendable (Int?) -> Void) -> SubscriptionToken
  ) -> [Int?] {
    let (store, received) = (personStore(state: Person(age: 0)), Recorder<Int?>())
    let token = subscribe(store, received.record)
    for age in 1...7 { store.dispatch(SetAge(age: age)) }
    token.cancel()
    return received.values
  }

  /// The login states that an observer receives over three logins and the two logouts between them.
  private func logins(
    _ subscribe: (Store<Person>, @escaping @Sendable (Bool) -> Void) -> SubscriptionToken
  ) -> [Bool] {
    let (store, received) = (personStore(state: Person(age: nil)), Recorder<Bool>())
    let token = subscribe(store, received.record)
    for age in [1, nil, 2, nil, 3] { store.dispatch(SetAge(age: age)) }
    token.cancel()
    return received.values
  }

  @Test("a closure skips a part by comparing it in the previous and the next state", .holds(19))
  func skipByClosure() {
    let isClose: @Sendable (Int?, Int?) -> Bool = { abs(($0 ?? 0) - ($1 ?? 0)) < 3 }
    let previous = ages { store, receive in
      store.subscribe { old, new in
        if let old, isClose(old.age, new.age) { return }
        receive(new.age)
      }
    }
    #expect(previous == [0])
    // `by:` compares with the last delivered value, which is a different rule.
    #expect(ages { $0.subscribe(to: { $0.age }, by: isClose, $1) } == [0, 3, 6])
  }

  @Test(
    "a closure skips the value at a key path by comparing it in the previous and the next state", .holds(20))
  func skipAtPath() {
    let path = \Person.mood.text
    let moods = heardOfMood { store, receive in
      store.subscribe { old, new in
        if let old, old[keyPath: path] == new[keyPath: path] { return }
        receive(new.mood)
      }
    }
    #expect(moods == ["calm", "merry"])
  }

  @Test(
    "a closure chooses which changes of a part are delivered by the previous and the next state", .holds(21))
  func onlyByClosure() {
    let isLogin: @Sendable (Bool, Bool) -> Bool = { !$0 && $1 }
    let previous = logins { store, receive in
      store.subscribe { old, new in
        if let old, !isLogin(old.age != nil, new.age != nil) { return }
        receive(new.age != nil)
      }
    }
    #expect(previous == [false, true, true, true])
    // `by:` compares with the last delivered value: after one login, no change is left.
    let last = logins { $0.subscribe(to: { $0.age != nil }, by: { !isLogin($0, $1) }, $1) }
    #expect(last == [false, true])
  }

  @Test(
    "a closure chooses which changes of the value at a key path are delivered by both states", .holds(22))
  func onlyAtPath() {
    let path = \Person.age
    let grown = ages { store, receive in
      store.subscribe { old, new in
        if let old, (old[keyPath: path] ?? 0) % 3 != 0 { return }
        receive(new[keyPath: path])
      }
    }
    #expect(grown == [0, 1, 4, 7])
  }
}
