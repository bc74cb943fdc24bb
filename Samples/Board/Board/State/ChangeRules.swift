import Flux

/// The rules by which a process adds changes to a log that other processes may use too.
///
/// The value has no lock, no task, and no log. The list in the log is the result of all changes in
/// the log, in their order. A process decides about its own changes on this list, and appends them
/// at the version of this list. If another process was faster, it reads the changes of the other
/// process, and decides again. A decision counts, and its answer is sent, only when the log has
/// accepted it.
package struct ChangeRules: FluxState, Hashable {
  /// A change that was requested, and the answer that it receives if the log accepts it now.
  package struct Decision: Hashable, Sendable {
    package let ask: Ask
    /// The change that the log stores.
    package let stored: KeyedChange
    package let answer: Answer
    /// A Boolean value that indicates whether the change makes a version, and therefore an entry
    /// of the log.
    package let makesVersion: Bool
  }

  /// The next use of the log.
  package enum Step: Hashable, Sendable {
    /// Read the changes after a list, and call ``read(_:)``.
    case read(after: ItemList)
    /// Append the changes that make versions at a version, or only check that the log ends there,
    /// and call ``appended(_:)``.
    ///
    /// If the log ends at a later version, call ``announce(_:)`` instead.
    case append([Decision], at: Int)
  }

  /// The list in the log, as far as this process has read it.
  package private(set) var saved: ItemList
  /// The list in the log, with the changes that the log does not contain yet.
  package private(set) var newest: ItemList
  /// The changes that the log does not contain yet, in the order in which they were requested.
  package private(set) var pending: [Decision] = []
  /// A Boolean value that indicates whether the last use of the log has succeeded.
  package private(set) var isReachable = true
  /// The latest version that the log is known to have.
  private var end: Int

  package init(_ list: ItemList) {
    saved = list
    newest = list
    end = list.version
  }

  /// The next use of the log, or `nil` if there is nothing to do.
  ///
  /// One step runs at a time.
  package var step: Step? {
    if !isReachable || end > saved.version { return .read(after: saved) }
    return pending.isEmpty ? nil : .append(pending, at: saved.version)
  }

  /// Decides about a requested change, and returns the answer that it receives unless another
  /// process is faster.
  package mutating func decide(_ ask: Ask) -> Answer {
    let version = newest.version
    var stored = KeyedChange(ask.change, key: ask.key)
    let answer: Answer
    if let key = ask.key, let known = newest.answer(toRepeated: ask.change, key: key) {
      answer = known
    } else if accepts(ask.change) {
      answer = newest.apply(ask.change, key: ask.key)
    } else {
      stored = KeyedChange(.refused(ask.change), key: ask.key)
      answer = ask.key == nil ? .full : newest.apply(stored.change, key: ask.key)
    }
    pending.append(
      Decision(ask: ask, stored: stored, answer: answer, makesVersion: newest.version != version))
    return answer
  }

  /// Records that the log has accepted a number of the oldest decisions.
  package mutating func appended(_ count: Int) {
    for decision in pending.prefix(count) where decision.makesVersion {
      _ = saved.apply(decision.stored.change, key: decision.stored.key)
    }
    pending.removeFirst(count)
    end = max(end, saved.version)
  }

  /// Records the list that the log makes, and decides again about the changes that are pending.
  package mutating func read(_ list: ItemList) {
    isReachable = true
    guard list.version > saved.version else { return }
    saved = list
    newest = list
    end = max(end, list.version)
    let asks = pending.map(\.ask)
    pending = []
    for ask in asks { _ = decide(ask) }
  }

  /// Records that the log has reached a version.
  package mutating func announce(_ version: Int) {
    end = max(end, version)
  }

  /// Records that the log could not be used, and drops all pending changes.
  ///
  /// The log may contain some of them. The next step reads the log to find out.
  package mutating func lost() {
    isReachable = false
    newest = saved
    pending = []
  }

  /// Returns a Boolean value that indicates whether the newest list has room for a change.
  ///
  /// When the log is read, the list must accept every change, even if the capacity was reduced. The
  /// list itself therefore does not check the capacity.
  private func accepts(_ change: Change) -> Bool {
    if case .add = change { newest.items.count < BoardState.capacity } else { true }
  }
}
