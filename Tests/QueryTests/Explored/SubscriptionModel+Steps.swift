import FluxAsync

@testable import FluxQuery

// The model checks each step of the rules when the rules return it, and performs it afterward.

extension SubscriptionModel {
  /// Checks the steps that the rules have returned, and performs them now or later.
  mutating func decide(_ steps: [Step], _ occasion: Occasion) throws(Violation) {
    guard Set(steps).count == steps.count else { throw Violation(description: "a step is repeated") }
    if case .focus(let keys) = occasion, !keys.isEmpty || !activity.isFocused {
      let expected: [Step] = keys.map { .fetch($0, .always) }
      guard steps.starts(with: expected) else {
        throw Violation(
          description: "on focus, the queries whose subscribers ask for it are not fetched in order")
      }
    }
    for step in steps { try check(step, occasion) }
    try enqueue(steps)
  }

  mutating func enqueue(_ new: [Step]) throws(Violation) {
    steps += new
    guard !isConcurrent else { return }
    // A coordinator performs the steps that follow from a step before the next step.
    let pending = steps
    steps = []
    for step in pending { try perform(step) }
  }

  private func index(of key: QueryKey) -> Int { watched.firstIndex { $0.key == key } ?? 0 }

  // MARK: Decisions

  private mutating func check(_ step: Step, _ occasion: Occasion) throws(Violation) {
    switch step {
    case .fetch(let key, let condition):
      let index = index(of: key)
      guard !watched[index].subscribers.isEmpty else {
        throw Violation(description: "a query without subscribers is fetched")
      }
      if condition == .ifNeeded {
        try checkNeed(watched[index])
      } else if case .focus(let keys) = occasion, keys.contains(key) {
        break
      } else {
        try checkPoll(watched[index])
        watched[index].pollsSince = now
      }
    case .remove(let key):
      let index = index(of: key)
      try checkRemoval(watched[index])
      watched[index].isBeingRemoved = true
    case .startUpdates(let key):
      let index = index(of: key)
      guard watched[index].needsUpdates, !watched[index].isUpdating else {
        throw Violation(description: "updates begin without a need")
      }
      watched[index].updatedIncarnation = watched[index].incarnation
    case .stopUpdates(let key):
      let index = index(of: key)
      guard let updated = watched[index].updatedIncarnation, updated != watched[index].incarnation else {
        throw Violation(description: "updates end although the entry remains")
      }
      watched[index].updatedIncarnation = nil
    case .forget(let request):
      guard watched.contains(where: { $0.entry?.lostRequest == request }) else {
        throw Violation(description: "a request that is running is forgotten")
      }
    }
  }

  private func checkNeed(_ watched: Watched) throws(Violation) {
    if watched.isMissing, watched.entry == nil {
      throw Violation(description: "an entry that the app has removed is fetched")
    }
    guard let entry = watched.entry, entry.lostRequest == nil else { return }
    guard entry.awaitsRefetch else { throw Violation(description: "an entry is fetched without a reason") }
    guard !entry.isFetching else { throw Violation(description: "an entry is fetched during its request") }
    guard isIdle || timing == .immediately else {
      throw Violation(description: "an invalidated entry is fetched before the requests have ended")
    }
  }

  private func checkPoll(_ watched: Watched) throws(Violation) {
    guard let interval = activeInterval(of: watched) else {
      throw Violation(description: "a query is polled for no subscriber")
    }
    guard watched.entry?.isFetching == false else {
      throw Violation(description: "a query is polled during its request")
    }
    guard now - watched.pollsSince >= interval else {
      throw Violation(description: "a query is polled before its interval has passed")
    }
  }

  private func checkRemoval(_ watched: Watched) throws(Violation) {
    guard watched.subscribers.isEmpty else {
      throw Violation(description: "an entry with subscribers is removed")
    }
    guard let entry = watched.entry else { throw Violation(description: "a missing entry is removed") }
    guard !entry.isContained else {
      throw Violation(description: "an entity that another entry contains is removed")
    }
    guard !watched.isBeingRemoved else { throw Violation(description: "an entry is removed twice") }
    if entry.awaitsRefetch, !entry.isFetching, isIdle || timing == .immediately { return }
    guard let lifetime = watched.lifetime, let unusedSince = watched.unusedSince,
      now - unusedSince >= lifetime
    else { throw Violation(description: "an entry is removed before its lifetime has passed") }
  }

  private func activeInterval(of watched: Watched) -> Duration? {
    watched.subscribers.map(\.kind.options)
      .filter { activity.isFocused || !$0.pausesPollingInBackground }.compactMap(\.pollingInterval).min()
  }

  // MARK: Performance

  mutating func perform(_ step: Step) throws(Violation) {
    switch step {
    case .fetch(let key, let condition):
      let index = index(of: key)
      let entry = watched[index].entry
      let isMet = entry.map { !$0.isFetching && (condition == .always || !$0.isCurrent) } ?? true
      if isMet { try start(index) }
    case .startUpdates, .stopUpdates: break
    case .remove(let key):
      let index = index(of: key)
      guard watched[index].entry != nil else { return }
      rules.willRemove([key])
      removeEntry(index, byApp: false)
      try report([index])
      let isNeeded = watched[index].entry.map { !$0.isFetching && !$0.isCurrent } ?? true
      let isWanted = !watched[index].subscribers.isEmpty && isNeeded
      if isWanted, rules.fetchesAfterRemoval { try start(index) }
    case .forget(let request):
      guard let index = watched.firstIndex(where: { $0.entry?.lostRequest == request }),
        var entry = watched[index].entry
      else { return }
      (entry.isFetching, entry.lostRequest) = (false, nil)
      try setEntry(index, entry)
    }
  }

  // MARK: Quiet moments

  /// Checks the rules for a moment at which all steps were performed.
  func checkQuiet() throws(Violation) {
    for watched in watched {
      let isSettled = watched.entry.map { !$0.isFetching && !$0.awaitsRefetch } ?? true
      guard rules.knowsThatEntry(of: watched.key, isSettled: isSettled) else {
        throw Violation(description: "the rules do not know whether a request is running or needed")
      }
      guard rules.subscribers(of: watched.key) == watched.subscribers.count else {
        throw Violation(description: "the number of subscribers is wrong")
      }
      guard watched.isUpdating == watched.needsUpdates else {
        throw Violation(description: "the updates of an entry have not begun or ended")
      }
      guard let entry = watched.entry else {
        if !watched.subscribers.isEmpty, !watched.isMissing {
          throw Violation(description: "a query with subscribers has no entry")
        }
        continue
      }
      try checkQuiet(entry, of: watched)
    }
    if let deadline = rules.nextDeadline, deadline <= now {
      throw Violation(description: "a deadline has passed")
    }
  }

  private func checkQuiet(_ entry: Entry, of watched: Watched) throws(Violation) {
    if entry.lostRequest != nil { throw Violation(description: "a lost request is not forgotten") }
    let isKept = watched.subscribers.isEmpty && entry.isContained
    if entry.awaitsRefetch, !entry.isFetching, !isKept, isIdle || timing == .immediately {
      throw Violation(description: "an invalidated entry is neither fetched nor removed")
    }
    if watched.subscribers.isEmpty {
      if !entry.isContained, let lifetime = watched.lifetime, let unusedSince = watched.unusedSince,
        now - unusedSince >= lifetime
      {
        throw Violation(description: "an entry without subscribers is kept after its lifetime")
      }
    } else if !entry.isFetching, let interval = activeInterval(of: watched) {
      if now - watched.pollsSince >= interval {
        throw Violation(description: "a query is not polled after its interval has passed")
      }
    }
  }
}
