import FluxMiddleware
import Testing

@Suite("The rules of a persistence")
struct PersistenceRulesTests {
  private typealias Rules = PersistenceStateMachine
  private typealias Response = PersistenceStateMachine.Response

  private func running() -> Rules {
    var rules = Rules()
    let isFirst = rules.began()
    #expect(isFirst)
    return rules
  }

  @Test("a persistence accepts only one store")
  func oneStore() {
    var rules = running()
    #expect(rules.began() == false)
    _ = rules.ended()
    #expect(rules.began() == false)
  }

  @Test("the first change opens a window, and the following changes do not")
  func window() {
    var rules = running()
    #expect(rules.changed() == Response(opens: .afterChange))
    #expect(rules.changed() == Response())
    #expect(rules.windowClosed() == Response(saves: true))
    #expect(rules.changed() == Response(opens: .afterChange))
  }

  @Test("one caller has the turn at a time, and a waiting caller is resumed when the turn is free")
  func turns() {
    var rules = running()
    #expect(rules.wantsTurn() == .granted)
    #expect(rules.wantsTurn() == .wait)
    #expect(rules.wantsToSave() == .unneeded)
    #expect(rules.finished(.done) == Response(wakes: true, saves: true))
    #expect(rules.wantsTurn() == .granted)
    #expect(rules.finished(.done) == Response(wakes: true))
  }

  @Test("a save in the background waits for every restore, and a flush does not")
  func restores() {
    var rules = running()
    rules.restoreBegan()
    rules.restoreBegan()
    #expect(rules.restoreEnded() == Response())
    #expect(rules.wantsToSave() == .unneeded)
    #expect(rules.wantsTurn() == .granted)
    #expect(rules.finished(.done) == Response(wakes: true))
    #expect(rules.restoreEnded() == Response(saves: true))
    #expect(rules.wantsToSave() == .granted)
  }

  @Test("a failure opens a window unless one is open")
  func failure() {
    var rules = running()
    #expect(rules.wantsTurn() == .granted)
    #expect(rules.finished(.failed) == Response(wakes: true, opens: .afterFailure))
    #expect(rules.wantsTurn() == .granted)
    #expect(rules.finished(.failed) == Response(wakes: true))
  }

  @Test("without a store no window opens and nothing is saved in the background")
  func noStore() {
    var rules = Rules()
    #expect(rules.changed() == Response())
    #expect(rules.wantsToSave() == .unneeded)
    #expect(rules.began() == true)
    #expect(rules.changed() == Response(opens: .afterChange))
    #expect(rules.ended() == Response(wakes: true))
    #expect(rules.windowClosed() == Response())
    #expect(rules.changed() == Response())
    #expect(rules.wantsToSave() == .unneeded)
    #expect(rules.wantsTurn() == .granted)
    #expect(rules.finished(.failed) == Response(wakes: true))
  }

  @Test("a turn without a store ends like any other")
  func turnWithoutStore() {
    var rules = Rules()
    #expect(rules.wantsTurn() == .granted)
    #expect(rules.finished(.done) == Response(wakes: true))
    #expect(rules.wantsEnd() == .unneeded)
  }

  /// A model of the environment of the rules, which is explored in every order of events.
  private struct Model {
    enum Event: CaseIterable {
      case change, windowCloses, backgroundRuns, flush, turnEnds, turnFails, restoreBegins, restoreEnds
    }

    var rules: Rules
    /// The changes that were made, that are on disk, and that the holder of the turn has read.
    var made = 0
    var saved = 0
    var seen = 0
    var hasTurn = false
    var isWindowOpen = false
    var background = 0
    var restores = 0
    var hasRestored = false

    /// Returns false if the event cannot happen now.
    mutating func happen(_ event: Event) -> Bool {
      switch event {
      case .change:
        made += 1
        obey(rules.changed())
      case .windowCloses:
        guard isWindowOpen else { return false }
        isWindowOpen = false
        obey(rules.windowClosed())
      case .backgroundRuns:
        guard background > 0 else { return false }
        background -= 1
        if rules.wantsToSave() == .granted {
          #expect(restores == 0, "a save in the background does not wait for a restore")
          takeTurn()
        }
      case .flush:
        if rules.wantsTurn() == .granted { takeTurn() }
      case .turnEnds:
        guard hasTurn else { return false }
        hasTurn = false
        saved = seen
        obey(rules.finished(.done))
      case .turnFails:
        guard hasTurn else { return false }
        hasTurn = false
        obey(rules.finished(.failed))
      case .restoreBegins:
        guard !hasRestored else { return false }
        hasRestored = true
        restores += 1
        rules.restoreBegan()
      case .restoreEnds:
        guard restores > 0 else { return false }
        restores -= 1
        obey(rules.restoreEnded())
      }
      return true
    }

    private mutating func takeTurn() {
      #expect(!hasTurn, "two have the turn")
      hasTurn = true
      seen = made
    }

    private mutating func obey(_ response: PersistenceStateMachine.Response) {
      if response.opens != nil {
        #expect(!isWindowOpen, "two windows are open")
        isWindowOpen = true
      }
      if response.saves { background += 1 }
    }

    /// The end of the model if the user does nothing more and no save fails.
    var settled: Model {
      var model = self
      while model.happen(.restoreEnds) {}
      // One of these at a time; none of them can continue forever.
      for _ in 1...12 where !model.happen(.turnEnds) && !model.happen(.backgroundRuns) {
        if !model.happen(.windowCloses) { break }
      }
      return model
    }
  }

  @Test("in every order of eight events, each change is saved")
  func everyOrder() {
    var paths = 0
    var bad: [[Model.Event]] = []
    func walk(_ model: Model, _ path: [Model.Event]) {
      paths += 1
      let settled = model.settled
      if settled.saved != settled.made || settled.hasTurn { bad.append(path) }
      guard path.count < 8 else { return }
      for event in Model.Event.allCases {
        var next = model
        if next.happen(event) { walk(next, path + [event]) }
      }
    }
    walk(Model(rules: running()), [])
    #expect(bad.first == nil)
    #expect(paths > 10_000)
  }
}
