import FluxCore
import TestSupport
import Testing

/// An object that receives ages.
private final class Hearer: Sendable {
  private let heard = Recorder<Int?>()

  var ages: [Int?] { heard.values }

  func hear(_ person: Person) {
    heard.record(person.age)
  }
}

@Suite(
  "ReSwift: StoreSubscription",
  .cases(of: "ReSwift/ReSwift", "ReSwiftTests/StoreSubscriptionTests.swift", at: "11f0a2e4", count: 13))
struct StoreSubscriptionTests {
  private let store = personStore(state: Person(age: nil))
  private let hearer = Hearer()

  private func subscribe(_ hearer: Hearer) -> SubscriptionToken {
    store.subscribe { (person: Person) in hearer.hear(person) }
  }

  // MARK: Objects

  @Test("a subscription does not keep its object alive", .holds(1))
  func notKept() {
    var hearer: Hearer? = Hearer()
    let kept = WeakReference(hearer)
    if let hearer { store.subscribe(owner: hearer) { hearer, person in hearer.hear(person) } }
    #expect(hearer?.ages == [nil])
    hearer = nil
    #expect(kept.object == nil)
  }

  @Test(
    "an observer whose object was released is removed by the next action, and others are called", .holds(2))
  func goneOwners() {
    let tracker = LifetimeTracker()
    var owners: [Hearer?] = [Hearer(), Hearer()]
    for owner in owners.compactMap(\.self) {
      store.subscribe(owner: owner) { [tracked = tracker.make()] owner, person in
        tracked.touch()
        owner.hear(person)
      }
    }
    store.dispatch(SetAge(age: 3))
    #expect(tracker.alive == 2)
    #expect(owners.map { $0?.ages } == [[nil, 3], [nil, 3]])
    owners[0] = nil
    store.dispatch(SetAge(age: 5))
    #expect(tracker.alive == 1)
    #expect(owners[1]?.ages == [nil, 3, 5])
    owners[1] = nil
    store.dispatch(SetAge(age: 8))
    #expect(tracker.alive == 0)
  }

  // MARK: Subscribing again

  @Test(
    "assigning a new token over an old one replaces the subscription",
    .differs(
      3,
      because: """
        In ReSwift, an object has at most one subscription. In Flux, a subscription lasts as long as its \
        token.
        """))
  func takingThePlace() {
    var token = subscribe(hearer)
    token = store.subscribe(to: { $0 }, by: { $0.age == $1.age }) { [hearer] person in hearer.hear(person) }
    #expect(hearer.ages == [nil, nil])
    for _ in 1...4 { store.dispatch(SetAge(age: 3)) }
    #expect(hearer.ages == [nil, nil, 3])
    token.cancel()
  }

  @Test(
    "an object that subscribes twice is called twice",
    .differs(
      9,
      because: "ReSwift ignores the second subscription. In Flux, each subscription has its own token."))
  func twice() {
    let tokens = [subscribe(hearer), subscribe(hearer)]
    store.dispatch(SetAge(age: 1))
    #expect(hearer.ages == [nil, nil, 1, 1])
    tokens[0].cancel()
    store.dispatch(SetAge(age: 2))
    #expect(hearer.ages == [nil, nil, 1, 1, 2])
    tokens[1].cancel()
  }

  @Test(
    "an object that subscribes twice to a part is called twice",
    .differs(
      10,
      because: "ReSwift ignores the second subscription. In Flux, each subscription has its own token."))
  func twiceToPart() {
    let heard = Recorder<Int?>()
    let tokens = (1...2).map { _ in store.subscribe(to: \.age, heard.record) }
    store.dispatch(SetAge(age: 1))
    #expect(heard.values == [nil, nil, 1, 1])
    for token in tokens { token.cancel() }
  }

  // MARK: Received values

  @Test("an observer is called with the state as it subscribes", .holds(4))
  func first() {
    let store = personStore(state: Person(age: 7))
    let token = store.subscribe { [hearer] (person: Person) in hearer.hear(person) }
    #expect(hearer.ages == [7])
    token.cancel()
  }

  @Test(
    "an observer is called when it subscribes, and then with the state after each action", .holds(5))
  func changes() {
    let token = subscribe(hearer)
    store.dispatch(SetAge(age: 9))
    #expect(hearer.ages == [nil, 9])
    token.cancel()
  }

  @Test("an observer that subscribes after some actions receives the state that they made", .holds(6))
  func late() {
    store.dispatch(SetAge(age: 13))
    let token = subscribe(hearer)
    #expect(hearer.ages == [13])
    token.cancel()
  }

  @Test("a canceled observer misses later actions, and may subscribe again", .holds(8))
  func cancelled() {
    store.dispatch(SetAge(age: 5))
    let token = subscribe(hearer)
    store.dispatch(SetAge(age: 10))
    token.cancel()
    for age in [15, 25] { store.dispatch(SetAge(age: age)) }
    #expect(hearer.ages == [5, 10])
    let again = subscribe(hearer)
    store.dispatch(SetAge(age: 20))
    #expect(hearer.ages == [5, 10, 25, 20])
    again.cancel()
  }

  // MARK: From inside an observer

  @Test("an observer may dispatch", .holds(7))
  func dispatching() {
    let token = store.subscribe(to: \.age) { [store] age in
      if age != 5 { store.dispatch(SetAge(age: 5)) }
    }
    #expect(store.state.age == 5)
    store.dispatch(SetAge(age: 2))
    #expect(store.state.age == 5)
    token.cancel()
  }

  @Test(
    "an observer may subscribe another, which may dispatch immediately, and both remain", .holds(11))
  func subscribing() {
    let added = Shared<SubscriptionToken?>(nil)
    let heard = Recorder<String>()
    let token = store.subscribe(to: \.age, initial: false) { [store] age in
      heard.record("first \(age ?? 0)")
      guard age == 1 else { return }
      added.value = store.subscribe(to: \.age) { age in
        heard.record("second \(age ?? 0)")
        if age == 1 { store.dispatch(SetAge(age: 2)) }
      }
    }
    store.dispatch(SetAge(age: 1))
    #expect(heard.takeAll() == ["first 1", "second 1", "second 2", "first 2"])
    store.dispatch(SetAge(age: 3))
    #expect(heard.values == ["first 3", "second 3"])
    for token in [token, added.value] { token?.cancel() }
  }

  // MARK: Released values

  /// Expects a canceled observer to release its captured values before the store is released.
  private func expectRelease(
    _ subscribe: (_ capturing: LifetimeTracker.Tracked) -> SubscriptionToken
  ) {
    let tracker = LifetimeTracker()
    let token = subscribe(tracker.make())
    store.dispatch(SetAge(age: 1))
    #expect(tracker.alive == 1)
    token.cancel()
    #expect(tracker.alive == 0)
    store.dispatch(SetAge(age: 2))
    #expect(hearer.ages == [nil, 1])
  }

  @Test("canceling an observer releases what its closure captured", .holds(12))
  func released() {
    expectRelease { tracked in
      store.subscribe { [hearer] (person: Person) in
        tracked.touch()
        hearer.hear(person)
      }
    }
  }

  @Test("canceling an observer of a part releases what its closure captured", .holds(13))
  func releasedOfPart() {
    expectRelease { tracked in
      store.subscribe(to: \.age) { [hearer] age in
        tracked.touch()
        hearer.hear(Person(age: age))
      }
    }
  }
}
