import TestSupport

/// The calls of observers while a history was recorded.
struct ObserverRecord: Sendable {
  struct Call: Sendable {
    let observer: Int
    let log: [Int]
    /// The index of its beginning among the beginnings and ends of the history's operations.
    let moment: Int
  }

  struct Transition: Sendable {
    let action: Int
    let version: UInt64
  }

  /// The calls of two observers that were subscribed from the beginning to the end, in order.
  var calls: [Call] = []
  var transitions: [Transition] = []

  /// A description of the mismatch with the threads' operations; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - history: The operations of the threads.
  ///   - final: The log at the end.
  func contradiction(to history: [StoreOperation], endingWith final: [Int]) -> String? {
    guard transitions.map(\.version) == (0..<UInt64(final.count)).map({ $0 + 1 }) else {
      return "the transitions have versions \(transitions.map(\.version))"
    }
    guard transitions.map(\.action) == final.map(SequentialStore.action) else {
      return "the transitions are of \(transitions.map(\.action))"
    }
    for observer in 0...1 {
      let heard = calls.filter { $0.observer == observer }.map(\.log)
      guard zip(heard, heard.dropFirst()).allSatisfy({ $0.count < $1.count }) else {
        return "observer \(observer) heard what is not newer: \(heard)"
      }
      guard heard.allSatisfy(final.starts) else {
        return "observer \(observer) heard what never was: \(heard)"
      }
      guard (heard.last ?? []) == final else {
        return "observer \(observer) has not heard the last: \(heard)"
      }
    }
    // Each pass delivers one snapshot to both, in the order in which they subscribed.
    for (index, call) in calls.enumerated() {
      guard call.observer == index % 2, call.log == calls[index - index % 2].log else {
        return "a pass breaks off before observer \(call.observer) hears \(call.log)"
      }
    }
    return future(in: history)
  }

  private func future(in history: [StoreOperation]) -> String? {
    var beginnings: [Int: Int] = [:]
    for operation in history {
      if case .dispatch(let action) = operation.kind { beginnings[action] = operation.invoked }
    }
    for call in calls {
      for entry in call.log
      where beginnings[SequentialStore.action(of: entry)].map({ $0 > call.moment }) ?? true {
        return "observer \(call.observer) heard of \(entry) before it was dispatched"
      }
    }
    return nil
  }
}
