import FluxAsync
import FluxCore
import FluxTesting
import Testing

// Races at a boundary: between two stores, at a limit, just before a result, or between two steps.

extension Race {
  static let atBoundaries = [
    selectionOfOtherStore, undoneTwice, debounceLimit, lostCancellation, steps, wrongAction,
  ]

  /// An item is deleted, and a second store selects the item before the answer.
  static let selectionOfOtherStore = Race(
    name: "selection of another store", story: "delete sent → select → answer to delete",
    wrong: { race in try await selection(race, clearingLast: false) },
    right: { race in try await selection(race, clearingLast: true) })

  private static func selection(_ items: RaceRun, clearingLast: Bool) async throws {
    let selection = RaceRun(items.run)
    let clear = Change("clear") { $0["selected"] = 0 }
    items.send(
      Job("delete", changing: { $0["item"] = 1 }) { context in
        if !clearingLast { selection.send(clear) }
        try await items.call("delete")
        context.dispatch(Change("deleted") { $0["item"] = 0 })
        if clearingLast { selection.send(clear) }
      })
    items.run.may("select") {
      if items.store.state["item"] == 1 { selection.send(Change("select") { $0["selected"] = 1 }) }
    }
    await items.run.untilQuiet()
    #expect(selection.store.state["selected"] <= items.store.state["item"])
  }

  /// The user takes an optimistic edit back, and the failure of the edit takes it back again.
  static let undoneTwice = Race(
    name: "optimistic edit undone twice", story: "like sent → take back → refusal for save",
    wrong: { race in likes(race, checking: false) }, right: { race in likes(race, checking: true) })

  private static func likes(_ race: RaceRun, checking: Bool) {
    race.always("no negative number") { $0["likes"] >= 0 }
    race.send(
      Job("like", changing: { ($0["likes"], $0["liked"]) = (1, 1) }) { context in
        do {
          try await race.call("save", mayFail: true)
        } catch {
          context.dispatch(
            Change("undo") {
              if !checking || $0["liked"] == 1 { ($0["likes"], $0["liked"]) = ($0["likes"] - 1, 0) }
            })
        }
      })
    race.may(
      Change("take back") { if $0["liked"] == 1 { ($0["likes"], $0["liked"]) = ($0["likes"] - 1, 0) } })
  }

  /// Two debounced searches reach their limit at the same time, because each text has its own.
  static let debounceLimit = Race(
    name: "debounce at its limit",
    story: "type a sent → type ab sent → the clock reaches 1.0 seconds → answer to ab → answer to a",
    wrong: { race in debounced(race) { $0 } }, right: { race in debounced(race) { _ in "search" } })

  private static func debounced(_ race: RaceRun, kind: (String) -> String) {
    race.eventually("the last words are shown") { $0.names == ["ab"] }
    for words in ["a", "ab"] {
      race.send(
        Job("type \(words)", .latest.debounced(for: .seconds(1)), kind: kind(words)) { context in
          try await race.call(words)
          context.dispatch(Change("show \(words)") { $0.names = [words] })
        })
    }
  }

  /// Work is canceled after it has looked for a cancellation, and before it delivers its result.
  static let lostCancellation = Race(
    name: "cancellation just before a result", story: "load sent → answer to page → cancel",
    wrong: { race in cancellation(race, checkingLast: false) },
    right: { race in cancellation(race, checkingLast: true) })

  private static func cancellation(_ race: RaceRun, checkingLast: Bool) {
    race.always("nothing arrives after a cancellation") { $0["canceled"] == 0 || $0["page"] == 0 }
    race.send(
      Job("load", kind: "load") { _ in
        try await race.call("page")
        if !checkingLast { try Task.checkCancellation() }
        await Task.yield()
        if checkingLast { try Task.checkCancellation() }
        race.send(Change("page") { $0["page"] = 1 })
      })
    race.run.may("cancel") {
      race.send(CancelWork(of: Job.self, id: "load"))
      race.send(Change("canceled") { ($0["canceled"], $0["page"]) = (1, 0) })
    }
  }

  /// The task of the second message performs its only step before the task of the first message.
  static let steps = Race(
    name: "steps of two tasks", story: "message 1 sent → message 2 sent → step 1 of message 2",
    wrong: { race in messages(race, .every) }, right: { race in messages(race, .queue) })

  private static func messages(_ race: RaceRun, _ policy: WorkPolicy) {
    race.eventually("the messages are in order") { $0.names == ["message 1", "message 2"] }
    for message in ["message 1", "message 2"] {
      race.send(
        Job(message, policy, kind: "messages") { context in
          context.dispatch(Change("append \(message)") { $0.names.append(message) })
        })
    }
  }

  /// A listener takes the payment of another order.
  static let wrongAction = Race(
    name: "listener takes the wrong action",
    story: "listen sent → order 1 sent → order 2 sent → answer to payment 2",
    wrong: { race in await payments(race, prefix: "paid") },
    right: { race in await payments(race, prefix: "paid 1") })

  private static func payments(_ other: RaceRun, prefix: String) async {
    let listeners = Listeners<RaceState>()
    listeners.start(when: { action, _, _ in (action as? Job)?.description == "listen" }) { _, listener in
      _ = try await listener.take(when: { action, _, _ in "\(action)".hasPrefix(prefix) })
      listener.dispatch(Change("confirm") { $0["confirmed"] = 1 })
    }
    let race = RaceRun(other.run, plugins: [listeners.plugin])
    race.always("a confirmed order is paid") { $0["confirmed"] <= $0["payment 1"] }
    race.send(Job("listen") { _ in })
    await race.run.untilQuiet()
    for number in 1...2 {
      race.send(
        Job("order \(number)") { context in
          try await race.call("payment \(number)")
          context.dispatch(Change("paid \(number)") { $0["payment \(number)"] = 1 })
        })
    }
    await race.run.untilQuiet()
  }
}
