import FluxAsync
import FluxCore
import FluxTesting

extension Race {
  static let all =
    [
      staleAnswer, outlivesScreen, doubleSubmit, retryBesideRefresh, debounceAfterClearing, undoneEdit,
      overtaking, droppedRefresh, pagesOutOfOrder, restoreAfterEdit, lostUpdate, tokenAfterLogout,
      pollBesidePush, loadedAfterDeletion, errorAfterSuccess, loadingFlag, halfUpdate, lateAnswer,
      emptyCart, wrongReceipt,
    ] + atBoundaries

  /// Shows the answer to words that were replaced.
  static let staleAnswer = search("stale answer", wrong: .every, right: .latest)

  private static func search(_ name: String, wrong: WorkPolicy, right: WorkPolicy) -> Race {
    func program(_ policy: WorkPolicy) -> @Sendable (RaceRun) async throws -> Void {
      { race in
        race.eventually("the last words are shown") { $0.names == ["ab"] }
        for words in ["a", "ab"] {
          race.send(
            Job("type \(words)", policy, kind: "search") { context in
              try await race.call(words)
              context.dispatch(Change("show \(words)") { $0.names = [words] })
            })
        }
      }
    }
    return Race(
      name: name, story: "type a sent → type ab sent → answer to ab → answer to a",
      wrong: program(wrong), right: program(right))
  }

  /// An answer changes a screen that was closed.
  static let outlivesScreen = Race(
    name: "work outlives its screen", story: "open sent → close → answer to details",
    wrong: { race in screen(race, closing: Change("close") { ($0["open"], $0["details"]) = (0, 0) }) },
    right: { race in
      screen(race, closing: Change("close") { ($0["open"], $0["details"]) = (0, 0) }, cancelling: true)
    })

  private static func screen(_ race: RaceRun, closing: Change, cancelling: Bool = false) {
    race.always("a closed screen is empty") { $0["open"] == 1 || $0["details"] == 0 }
    race.send(
      Job("open", kind: "screen", changing: { $0["open"] = 1 }) { context in
        try await race.call("details")
        context.dispatch(Change("show details") { $0["details"] = 1 })
      })
    race.run.may("close") {
      if cancelling { race.send(CancelWork(of: Job.self, id: "screen")) }
      race.send(closing)
    }
  }

  /// A second tap submits an order again.
  static let doubleSubmit = Race(
    name: "double submit", story: "buy sent → buy again → answer to buy → answer to buy (2)",
    wrong: { race in buy(race, .every) }, right: { race in buy(race, .leading) })

  private static func buy(_ race: RaceRun, _ policy: WorkPolicy) {
    let job = Job("buy", policy, kind: "buy") { context in
      if context.state["bought"] > 0 { return }
      try await race.call("buy")
      context.dispatch(Change("bought") { $0["bought"] += 1 })
    }
    race.always("one purchase") { $0["bought"] <= 1 }
    race.send(job)
    race.run.may("buy again") { if race.store.state["bought"] == 0 { race.send(job) } }
  }

  /// An attempt that is repeated after a failure answers after a newer refresh.
  static let retryBesideRefresh = Race(
    name: "retry beside refresh",
    story: "load 1 sent → load 2 sent → refusal for load 1 → answer to load 2 → "
      + "the clock reaches 1.0 seconds → answer to load 1 (2)",
    wrong: { race in retry(race, .every.retrying(.times(1, backoff: .constant(.seconds(1))))) },
    right: { race in retry(race, .latest.retrying(.times(1, backoff: .constant(.seconds(1))))) })

  private static func retry(_ race: RaceRun, _ policy: WorkPolicy) {
    race.eventually("the newest version is shown") { $0["version"] == 2 || $0["failed"] > 0 }
    for version in 1...2 {
      race.send(
        Job("load \(version)", policy, kind: "load") { context in
          try await race.call("load \(version)", mayFail: version == 1)
          context.dispatch(Change("show \(version)") { $0["version"] = version })
        })
    }
  }

  /// Words that are cleared during the debounce interval are searched for.
  static let debounceAfterClearing = Race(
    name: "debounce after clearing",
    story: "type sent → clear → the clock reaches 1.0 seconds → answer to films",
    wrong: { race in debounce(race, checking: false) },
    right: { race in debounce(race, checking: true) })

  private static func debounce(_ race: RaceRun, checking: Bool) {
    race.always("no films without words") { $0["words"] == 1 || $0["films"] == 0 }
    race.send(
      Job("type", .latest.debounced(for: .seconds(1)), kind: "search", changing: { $0["words"] = 1 }) {
        context in
        try await race.call("films")
        context.dispatch(
          Change("show") { if !checking || $0["words"] == 1 { $0["films"] = 1 } })
      })
    race.may(Change("clear") { ($0["words"], $0["films"]) = (0, 0) })
  }

  /// An optimistic edit fails, and restores the value before a later edit.
  static let undoneEdit = Race(
    name: "undone optimistic edit",
    story: "edit 1 sent → edit 2 sent → refusal for save 1 → answer to save 2",
    wrong: { race in optimistic(race, .every) }, right: { race in optimistic(race, nil) })

  private static func optimistic(_ race: RaceRun, _ policy: WorkPolicy?) {
    race.eventually("the saved value is shown") { $0["shown"] == $0["saved"] }
    for value in 1...2 {
      race.send(
        Job(
          "edit \(value)", policy ?? .queue, kind: "edit",
          changing: { state in
            state["before \(value)"] = state["shown"]
            state["shown"] = value
          }
        ) { context in
          do {
            try await race.call("save \(value)", mayFail: true)
            context.dispatch(Change("saved \(value)") { $0["saved"] = value })
          } catch {
            context.dispatch(
              Change("undo \(value)") { state in
                state["shown"] = policy == nil ? state["saved"] : state["before \(value)"]
              })
          }
          if policy == nil { context.dispatch(Change("settle") { $0["shown"] = $0["saved"] }) }
        })
    }
  }

  /// A later save reaches the server before an earlier save.
  static let overtaking = Race(
    name: "overtaking", story: "save 1 sent → save 2 sent → answer to save 2 → answer to save 1",
    wrong: { race in saves(race, .every) }, right: { race in saves(race, .queue) })

  private static func saves(_ race: RaceRun, _ policy: WorkPolicy) {
    race.eventually("the server has the last value") { $0["server"] == 2 }
    for value in 1...2 {
      race.send(
        Job("save \(value)", policy, kind: "save") { context in
          try await race.call("save \(value)")
          context.dispatch(Change("saved \(value)") { $0["server"] = value })
        })
    }
  }

  /// A refresh for a new filter is dropped, because a refresh for the old filter is running.
  static let droppedRefresh = Race(
    name: "dropped leading work", story: "filter 1 sent → filter 2 → answer to list 1",
    wrong: { race in filters(race, .leading) }, right: { race in filters(race, .latest) })

  private static func filters(_ race: RaceRun, _ policy: WorkPolicy) {
    race.eventually("the list has the filter") { $0["list"] == $0["filter"] }
    func filter(_ value: Int) -> Job {
      Job("filter \(value)", policy, kind: "list", changing: { $0["filter"] = value }) { context in
        try await race.call("list \(value)")
        context.dispatch(Change("show \(value)") { $0["list"] = value })
      }
    }
    race.send(filter(1))
    race.may(filter(2))
  }

  /// The second page arrives before the first page.
  static let pagesOutOfOrder = Race(
    name: "pages out of order", story: "page 1 sent → page 2 sent → answer to page 2 → answer to page 1",
    wrong: { race in pages(race, .every) }, right: { race in pages(race, .queue) })

  private static func pages(_ race: RaceRun, _ policy: WorkPolicy) {
    race.eventually("the pages are in order") { $0.names == $0.names.sorted() }
    for page in ["page 1", "page 2"] {
      race.send(
        Job(page, policy, kind: "pages") { context in
          try await race.call(page)
          context.dispatch(Change("append \(page)") { $0.names.append(page) })
        })
    }
  }

  /// The saved state replaces an edit that was made before it was loaded.
  static let restoreAfterEdit = Race(
    name: "restore after the first edit", story: "restore sent → edit → answer to saved state",
    wrong: { race in restore(race, checking: false) }, right: { race in restore(race, checking: true) })

  private static func restore(_ race: RaceRun, checking: Bool) {
    race.eventually("the edit is kept") { $0["edited"] == 0 || $0["text"] == 2 }
    race.send(
      Job("restore") { context in
        try await race.call("saved state")
        context.dispatch(Change("restored") { if !checking || $0["edited"] == 0 { $0["text"] = 1 } })
      })
    race.may(Change("edit") { ($0["edited"], $0["text"]) = (1, 2) })
  }

  /// Two jobs add to the same old number.
  static let lostUpdate = Race(
    name: "lost update", story: "add 1 sent → add 2 sent → answer to add 1 → answer to add 2",
    wrong: { race in additions(race, inReducer: false) },
    right: { race in additions(race, inReducer: true) })

  private static func additions(_ race: RaceRun, inReducer: Bool) {
    race.eventually("both numbers are added") { $0["sum"] == 2 }
    for number in 1...2 {
      race.send(
        Job("add \(number)") { context in
          let old = context.state["sum"]
          try await race.call("add \(number)")
          context.dispatch(Change("added \(number)") { $0["sum"] = (inReducer ? $0["sum"] : old) + 1 })
        })
    }
  }

  /// A token that is renewed while the user logs out logs the user in again.
  static let tokenAfterLogout = Race(
    name: "token after logout", story: "renew sent → log out → answer to token",
    wrong: { race in tokens(race, cancelling: false) }, right: { race in tokens(race, cancelling: true) })

  private static func tokens(_ race: RaceRun, cancelling: Bool) {
    race.eventually("a user who logged out has no token") { $0["out"] == 0 || $0["token"] == 0 }
    race.send(
      Job("renew", kind: "token") { context in
        try await race.call("token", isCancellable: false)
        context.dispatch(Change("renewed") { $0["token"] = 1 })
      })
    race.run.may("log out") {
      if cancelling { race.send(CancelWork(of: Job.self, id: "token")) }
      race.send(Change("log out") { ($0["out"], $0["token"]) = (1, 0) })
    }
  }

  /// The answer to a poll is older than a message that was pushed.
  static let pollBesidePush = Race(
    name: "poll beside push", story: "poll sent → push → answer to poll",
    wrong: { race in polling(race, comparing: false) }, right: { race in polling(race, comparing: true) })

  private static func polling(_ race: RaceRun, comparing: Bool) {
    race.eventually("the newest version is kept") { $0["pushed"] == 0 || $0["version"] == 2 }
    race.send(
      Job("poll") { context in
        try await race.call("poll")
        context.dispatch(Change("polled") { if !comparing || $0["version"] < 1 { $0["version"] = 1 } })
      })
    race.may(Change("push") { ($0["pushed"], $0["version"]) = (1, 2) })
  }

  /// Loading finishes after the item was deleted, and the item exists again.
  static let loadedAfterDeletion = Race(
    name: "loaded after deletion", story: "load sent → delete → answer to item",
    wrong: { race in deletion(race, checking: false) }, right: { race in deletion(race, checking: true) })

  private static func deletion(_ race: RaceRun, checking: Bool) {
    race.eventually("a deleted item does not exist") { $0["deleted"] == 0 || $0["item"] == 0 }
    race.send(
      Job("load") { context in
        try await race.call("item")
        context.dispatch(Change("loaded") { if !checking || $0["deleted"] == 0 { $0["item"] = 1 } })
      })
    race.may(Change("delete") { ($0["deleted"], $0["item"]) = (1, 0) })
  }

  /// The failure of an old request is shown after the success of a new request.
  static let errorAfterSuccess = Race(
    name: "error after success", story: "load 1 sent → load 2 sent → answer to load 2 → refusal for load 1",
    wrong: { race in errors(race, .every) }, right: { race in errors(race, .latest) })

  private static func errors(_ race: RaceRun, _ policy: WorkPolicy) {
    race.eventually("no error after the newest answer") { $0["error"] == 0 }
    for number in 1...2 {
      race.send(
        Job("load \(number)", policy, kind: "load") { context in
          do {
            try await race.call("load \(number)", mayFail: number == 1)
            context.dispatch(Change("loaded \(number)") { $0["error"] = 0 })
          } catch {
            context.dispatch(Change("failed \(number)") { $0["error"] = 1 })
          }
        })
    }
  }

  /// The first of two loads ends, and the app no longer shows that it is loading.
  static let loadingFlag = Race(
    name: "loading flag", story: "load 1 sent → load 2 sent → answer to load 1",
    wrong: { race in loads(race, counting: false) }, right: { race in loads(race, counting: true) })

  private static func loads(_ race: RaceRun, counting: Bool) {
    race.always("loading is shown") { $0["running"] == 0 || $0["loading"] > 0 }
    for number in 1...2 {
      race.send(
        Job(
          "load \(number)",
          changing: { state in
            state["running"] += 1
            state["loading"] = counting ? state["loading"] + 1 : 1
          }
        ) { context in
          try await race.call("load \(number)")
          context.dispatch(
            Change("loaded \(number)") { state in
              state["running"] -= 1
              state["loading"] = counting ? state["loading"] - 1 : 0
            })
        })
    }
  }

  /// A cancellation between two actions leaves half of an update.
  static let halfUpdate = Race(
    name: "half an update", story: "move sent → answer to remove → cancel",
    wrong: { race in moves(race, atOnce: false) }, right: { race in moves(race, atOnce: true) })

  private static func moves(_ race: RaceRun, atOnce: Bool) {
    race.eventually("the item is somewhere") { $0["old"] + $0["new"] == 1 }
    race.send(
      Job("move", kind: "move", changing: { $0["old"] = 1 }) { context in
        try await race.call("remove")
        if !atOnce { context.dispatch(Change("removed") { $0["old"] = 0 }) }
        try await race.call("insert")
        context.dispatch(Change("inserted") { ($0["old"], $0["new"]) = (0, 1) })
      })
    race.run.may("cancel") { race.send(CancelWork(of: Job.self, id: "move")) }
  }

  /// An answer is accepted after the app has told the user that there is none.
  static let lateAnswer = Race(
    name: "late answer", story: "ask sent → limit sent → the clock reaches 1.0 seconds → answer to question",
    wrong: { race in question(race, cancelling: false) },
    right: { race in question(race, cancelling: true) })

  private static func question(_ race: RaceRun, cancelling: Bool) {
    race.always("no answer after the time limit") { $0["late"] == 0 || $0["answer"] == 0 }
    race.send(
      Job("ask") { context in
        try await race.call("question")
        context.dispatch(Change("answered") { $0["answer"] = 1 })
      })
    race.send(
      Job("limit", kind: "limit") { context in
        try await race.run.clock.sleep(for: .seconds(1))
        if cancelling { context.dispatch(CancelWork(of: Job.self, id: "ask")) }
        context.dispatch(Change("late") { if $0["answer"] == 0 { $0["late"] = 1 } })
      })
  }

  /// A cart that was emptied is paid for.
  static let emptyCart = Race(
    name: "empty cart", story: "pay sent → empty → answer to payment",
    wrong: { race in cart(race, locking: false) }, right: { race in cart(race, locking: true) })

  private static func cart(_ race: RaceRun, locking: Bool) {
    race.always("a paid cart is not empty") { $0["paid"] == 0 || $0["items"] > 0 }
    race.send(
      Job(
        "pay",
        changing: { ($0["items"], $0["paying"]) = (1, 1) }
      ) { context in
        try await race.call("payment")
        context.dispatch(Change("paid") { $0["paid"] = 1 })
      })
    race.may(Change("empty") { if !locking || $0["paying"] == 0 { $0["items"] = 0 } })
  }

  /// A receipt belongs to the order that was sent last, and not to the order that was answered.
  static let wrongReceipt = Race(
    name: "wrong receipt", story: "order 1 sent → order 2 sent → answer to order 1",
    wrong: { race in receipts(race, byOrder: false) }, right: { race in receipts(race, byOrder: true) })

  private static func receipts(_ race: RaceRun, byOrder: Bool) {
    race.always("a receipt has its number") { state in
      (1...2).allSatisfy { state["receipt \($0)"] == 0 || state["receipt \($0)"] == $0 }
    }
    for number in 1...2 {
      race.send(
        Job("order \(number)", changing: { $0["current"] = number }) { context in
          try await race.call("order \(number)")
          context.dispatch(
            Change("receipt") { state in
              state["receipt \(byOrder ? number : state["current"])"] = number
            })
        })
    }
  }
}
