import FluxCore

/// The states that occurred in all orders of an exploration, so that equal states have equal
/// numbers.
final class ExplorationMemory: Sendable {
  private struct StoreKey: Hashable, Sendable {
    /// The number of stores that a run creates before the store.
    let index: Int
    let type: ObjectIdentifier
  }

  private struct Contents: Sendable {
    var stores: [StoreKey: any CountsStates] = [:]
    var extent = Observations.Extent()
  }

  private let contents = Locked(Contents())

  /// The parts of an order that tasks have shown to observe.
  var extent: Observations.Extent {
    get { contents.withLock { $0.extent } }
    set { contents.withLock { $0.extent = newValue } }
  }

  /// The number of different states of all stores.
  var count: Int { contents.withLock { $0.stores.values.reduce(0) { $0 + $1.count } } }

  /// Returns the numbers of the states of the store that a run creates after a number of other
  /// stores.
  func numbers<State: Equatable & Sendable>(
    ofStore index: Int, _ type: State.Type
  ) -> StateNumbers<State> {
    let key = StoreKey(index: index, type: ObjectIdentifier(type))
    return contents.withLock { contents in
      if let known = contents.stores[key] as? StateNumbers<State> { return known }
      let numbers = StateNumbers<State>(salt: "\(type) \(index)".stableHash)
      contents.stores[key] = numbers
      return numbers
    }
  }
}

/// An object that counts the different states of a store.
private protocol CountsStates: Sendable {
  var count: Int { get }
}

/// The numbers of the different states of a store.
final class StateNumbers<State: Equatable & Sendable>: CountsStates {
  private struct Contents: Sendable {
    var states: [State] = []
    /// The numbers of the states with each hash.
    var numbers: [Int: [Int]] = [:]
    var last = 0
  }

  private let contents = Locked(Contents())
  private let salt: UInt64
  private let isHashable = State.self is any Hashable.Type

  /// Creates the numbers of a store.
  ///
  /// - Parameter salt: A number that distinguishes the states of this store from those of others.
  init(salt: UInt64) { self.salt = salt }

  /// The number of different states.
  var count: Int { contents.withLock { $0.states.count } }

  /// Returns the number of a state.
  ///
  /// Equal states have equal numbers. The method takes O(1) time for a state that is `Hashable`,
  /// and O(n) time for n different states of any other type.
  func number(of state: State) -> UInt64 {
    let hash = isHashable ? (state as? any Hashable)?.hashValue ?? 0 : 0
    let number = contents.withLock { contents in
      if !contents.states.isEmpty, contents.states[contents.last] == state { return contents.last }
      let known = contents.numbers[hash, default: []]
      if let number = known.first(where: { contents.states[$0] == state }) {
        contents.last = number
        return number
      }
      contents.states.append(state)
      contents.last = contents.states.count - 1
      contents.numbers[hash, default: []].append(contents.last)
      return contents.last
    }
    return salt &+ UInt64(number)
  }
}
