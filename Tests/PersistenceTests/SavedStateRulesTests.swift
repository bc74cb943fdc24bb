import FluxMiddleware
import Testing

@Suite("The rules for a state that was saved before a run")
struct SavedStateRulesTests {
  private enum Event: CaseIterable {
    case load, saveBegins, saveSucceeds, saveFails, restoreBegins, restoreReduces
  }

  /// A mistake that an exploration must find.
  private enum Mistake: CaseIterable {
    case keepsNothing, forgetsTheCopy, mergesAgain, mergesItsOwn
  }

  /// A program on a storage with a saved state.
  private struct Model {
    private struct Restore {
      let source: SavedStateRules.Source
      let hasFound: Bool
    }

    private let mistake: Mistake?
    private var rules = SavedStateRules()
    private var isReceived = false
    private var isReplaced = false
    private var hasCopy = false
    private var merges = 0
    /// Whether the save in progress keeps a copy of the file that it replaces.
    private var isKeeping: Bool?
    private var restores: [Restore] = []

    init(mistake: Mistake?) {
      self.mistake = mistake
    }

    /// A Boolean value that indicates whether the saved state is lost, or merged incorrectly.
    private(set) var isBroken = false

    /// Returns false if the event cannot happen now.
    mutating func happen(_ event: Event) -> Bool {
      switch event {
      case .load:
        guard isKeeping == nil, !isReceived, !isReplaced else { return false }
        isReceived = true
        rules.markLoaded()
      case .saveBegins:
        guard isKeeping == nil else { return false }
        isKeeping = rules.isUnread && mistake != .keepsNothing
      case .saveSucceeds, .saveFails: return endSave(succeeds: event == .saveSucceeds)
      case .restoreBegins:
        guard isKeeping == nil, restores.count < 2 else { return false }
        beginRestore()
      case .restoreReduces:
        guard !restores.isEmpty else { return false }
        reduce(restores.removeFirst())
      }
      return true
    }

    private mutating func endSave(succeeds: Bool) -> Bool {
      guard let isKeeping else { return false }
      self.isKeeping = nil
      if isKeeping { hasCopy = true }
      if succeeds { isReplaced = true }
      rules.saveEnded(
        keeping: hasCopy && mistake != .forgetsTheCopy ? "copy" : nil, succeeded: succeeds)
      if isReplaced, !isReceived, !hasCopy, merges == 0 { isBroken = true }
      return true
    }

    private mutating func beginRestore() {
      var source = rules.source
      if mistake == .mergesItsOwn, source == .own { source = .generations }
      let hasFound =
        switch source {
        case .generations: !isReplaced
        case .kept: hasCopy
        case .own: false
        }
      // A state that the program has not received can always be restored, and no other state
      // replaces it.
      if !hasFound, source != .own || !isReceived && merges == 0 { isBroken = true }
      restores.append(Restore(source: source, hasFound: hasFound))
    }

    private mutating func reduce(_ restore: Restore) {
      let mayMerge = rules.mayMerge(from: restore.source)
      guard mayMerge || mistake == .mergesAgain && restore.source != .own else { return }
      merges += 1
      if merges > 1 || !restore.hasFound { isBroken = true }
      rules.markRestored()
    }
  }

  /// Returns the number of orders of events, and the first order that breaks a rule.
  private func walk(_ mistake: Mistake?) -> (paths: Int, broken: [Event]?) {
    var paths = 0
    var broken: [Event]?
    func walk(_ model: Model, _ path: [Event]) {
      paths += 1
      if model.isBroken { broken = broken ?? path }
      guard path.count < 9, broken == nil else { return }
      for event in Event.allCases {
        var next = model
        if next.happen(event) { walk(next, path + [event]) }
      }
    }
    walk(Model(mistake: mistake), [])
    return (paths, broken)
  }

  @Test("in every order of nine events, the saved state is not lost, and is merged once")
  func everyOrder() {
    let (paths, broken) = walk(nil)
    #expect(broken == nil)
    #expect(paths > 5_000)
  }

  @Test("the exploration finds planted mistakes", arguments: Mistake.allCases)
  private func mistakes(mistake: Mistake) {
    #expect(walk(mistake).broken != nil)
  }
}
