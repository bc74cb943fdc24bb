import FluxCore
import TestSupport
import Testing

/// Explores every interleaving of a building thread and of threads that dispatch meanwhile.
@Suite("Every order of building a chain and dispatching from other threads")
struct ChainInterleavingTests {
  @Test(
    "Each action is sent once, in its thread's order, and only held actions are sent after their dispatch")
  func holds() {
    let exploration = ChainExploration(mistake: nil)
    #expect(exploration.violations == [])
    // The building thread takes 2 to 6 steps, depending on how many actions it sends.
    #expect(exploration.ends > 100)
  }

  @Test("A planted mistake is found", arguments: ChainExploration.Mistake.allCases)
  func finds(_ mistake: ChainExploration.Mistake) {
    #expect(!ChainExploration(mistake: mistake).violations.isEmpty)
  }
}

/// A walk through every interleaving of one building thread and two threads with two actions each.
struct ChainExploration {
  /// A mistake in the rules, which the walk has to find.
  enum Mistake: CaseIterable {
    /// The chain is ready before the held actions are sent.
    case isReadyTooEarly
    /// An action that arrives while the held actions are sent is held too late to be sent.
    case forgetsWhatArrivesWhileSending
    /// An action that is held replaces those before it.
    case holdsOnlyTheNewest
    /// The held actions are sent newest first.
    case sendsNewestFirst
    /// The chain never becomes ready, so that other threads wait forever.
    case isNeverReady
  }

  private struct Numbered: Action, Equatable {
    let thread: Int
    let number: Int
  }

  private struct Standing {
    var chain = DispatchChain.building(by: ThreadIdentity(rawValue: 9), held: [])
    /// The held actions that the building thread has yet to send; `nil` before the chain is
    /// complete.
    var toSend: [Numbered]?
    var hasBuilt = false
    /// The next action of each dispatching thread.
    var next = [0, 0]
    /// Whether a thread was allowed to send its next action, and is about to.
    var isSending = [false, false]
    var isWaiting = [false, false]
    var held: [Numbered] = []
    var reduced: [Numbered] = []
  }

  private static let perThread = 2
  private let mistake: Mistake?
  private(set) var violations: Set<String> = []
  private(set) var ends = 0

  init(mistake: Mistake?) {
    self.mistake = mistake
    walk(Standing())
  }

  private mutating func walk(_ standing: Standing) {
    let followers = [build(standing)] + (0..<2).map { dispatch(standing, thread: $0) }
    let possible = followers.compactMap(\.self)
    if possible.isEmpty { return end(standing) }
    for next in possible { walk(next) }
  }

  /// One step of the building thread; `nil` if it has none left.
  private func build(_ standing: Standing) -> Standing? {
    guard !standing.hasBuilt else { return nil }
    var new = standing
    switch standing.toSend {
    case nil:
      var held = new.chain.completed { _ in }.compactMap { $0.action as? Numbered }
      if mistake == .sendsNewestFirst { held.reverse() }
      if mistake == .holdsOnlyTheNewest { held = held.suffix(1) }
      if mistake == .isReadyTooEarly { new.chain.heldActionsSent() }
      new.toSend = held
    case let toSend? where toSend.isEmpty:
      if mistake != .isNeverReady { new.chain.heldActionsSent() }
      new.hasBuilt = true
      new.isWaiting = [false, false]
    case let toSend?:
      new.reduced.append(toSend[0])
      new.toSend = Array(toSend.dropFirst())
    }
    return new
  }

  /// One step of a dispatching thread; `nil` if it has none left, or is waiting.
  private func dispatch(_ standing: Standing, thread: Int) -> Standing? {
    guard standing.next[thread] < Self.perThread, !standing.isWaiting[thread] else { return nil }
    var new = standing
    let action = Numbered(thread: thread, number: standing.next[thread])
    if standing.isSending[thread] {
      new.reduced.append(action)
      new.isSending[thread] = false
      new.next[thread] += 1
      return new
    }
    switch new.chain.enter(action, by: ThreadIdentity(rawValue: UInt(thread + 1))) {
    case .send: new.isSending[thread] = true
    case .wait where mistake == .forgetsWhatArrivesWhileSending: new.next[thread] += 1
    // The waiting thread continues when the building thread has sent everything, and not before.
    case .wait: new.isWaiting[thread] = !standing.hasBuilt
    case .held:
      new.held.append(action)
      new.next[thread] += 1
    case .misuse, .drop: return nil
    }
    // A wait after the end would repeat forever: the thread cannot continue.
    if mistake == .isNeverReady, standing.hasBuilt, !new.isSending[thread] { return nil }
    return new
  }

  private mutating func end(_ standing: Standing) {
    ends += 1
    for thread in 0..<2 {
      let numbers = standing.reduced.filter { $0.thread == thread }.map(\.number)
      if numbers != Array(0..<Self.perThread) { violations.insert("thread \(thread): \(numbers)") }
    }
    if Array(standing.reduced.prefix(standing.held.count)) != standing.held {
      violations.insert("the held actions were not sent first, and in order")
    }
    if !standing.hasBuilt { violations.insert("the chain was not completed") }
    guard case .ready = standing.chain else { return _ = violations.insert("the chain is not ready") }
  }
}
