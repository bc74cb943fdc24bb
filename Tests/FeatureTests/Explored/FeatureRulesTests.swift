import FluxCore
import Foundation
import TestSupport
import Testing

@testable import FluxMiddleware

/// The rules of attached features, in every sequence of steps up to a length.
///
/// Each step except for the replacement of the state is one reduction under the store's lock.
/// Therefore, the sequences contain all interleavings of threads.
@Suite("Rules of attached features")
struct FeatureRulesTests {
  enum Step: CaseIterable {
    case attachFirst, attachSecond, attachOther
    case detachFirst, detachSecondDiscarding, detachOther
    case act, snapshot, restore, reload
  }

  enum Mistake: CaseIterable {
    case ignoresSecond, usesNewestCode, detachesAll, keepsDiscarded, discardsKept
    case neverAligns, alignsToInitial, forgetsSaved, reducesDetached
  }

  private struct Count: FluxState, Codable {
    var value = 0
  }

  private struct Act: Action {}

  /// A naive model: dictionaries with the names of the features.
  private struct Model {
    struct State {
      var values: [String: Int] = [:]
    }

    var state = State()
    var attachments: [String: [Int]] = [:]
    /// The amount that the reducer adds, and the run that brought the reducer.
    var code: [String: (amount: Int, run: FeatureNumber)] = [:]

    /// The features that are attached have a decoded state before each action.
    mutating func align() {
      for name in code.keys {
        state.values[name] = state.values[name] ?? 0
      }
    }

    mutating func attach(_ name: String, _ number: Int, by run: FeatureNumber) {
      align()
      attachments[name, default: []].append(number)
      code[name] = code[name] ?? (number, run)
      align()
    }

    mutating func detach(_ name: String, _ number: Int, keeping: Bool) {
      align()
      guard attachments[name]?.contains(number) == true else { return }
      attachments[name]?.removeAll { $0 == number }
      guard attachments[name] == [] else { return }
      code[name] = nil
      if !keeping { state.values[name] = nil }
    }

    mutating func act() {
      align()
      for (name, code) in code { state.values[name, default: 0] += code.amount }
    }

    func value(_ name: String) -> Int {
      state.values[name] ?? 0
    }
  }

  private final class Run {
    let runs = FeatureRuns { _ in }
    let store = EffectScope()
    let mistake: Mistake?
    var states = FeatureStates()
    var snapshot = FeatureStates()
    var model = Model()
    var modelSnapshot = Model.State()
    var attached: [Int: (attachment: FeatureAttachment, run: FeatureRun, name: String)] = [:]
    /// A Boolean value that indicates whether the state was reduced in this step.
    var hasReduced = false
    var faults: [String] = []

    init(_ mistake: Mistake?) {
      self.mistake = mistake
    }

    func feature(_ name: String, _ number: Int) -> Feature<Count> {
      Feature(name, state: Count()) { (count: inout Count, action: any Action) in
        if action is Act { count.value += number }
      }
    }

    func reduce(_ action: any Action) {
      hasReduced = true
      switch mistake {
      case .neverAligns where !isFeatureChange(action):
        states.reduce(action)
        return
      case .alignsToInitial where states.revision == .decoded || snapshot.revision == states.revision:
        states = FeatureStates()
      case .forgetsSaved: states.saved = [:]
      case .reducesDetached:
        for index in states.parts.indices where states.parts[index].code == nil && action is Act {
          states.parts[index].cell = FeatureStateCell<Count>(reducer: nil, state: Count(value: 77))
        }
      default: break
      }
      _ = runs.reduce(&states, action)
    }

    func attach(_ name: String, _ number: Int) {
      guard attached[number] == nil else { return }
      let run = runs.run(of: feature(name, number), within: store)
      let code = run.prepare { (FeatureCode(of: feature(name, number), id: run.id), { _ in }) }
      let action = FeatureAttached(code: code, runs: runs)
      let attachment = FeatureAttachment(action.attachment, of: run)
      runs.add(attachment)
      let isSecond = states.parts.contains { $0.name == name && $0.code != nil }
      if mistake != .ignoresSecond || !isSecond { reduce(action) }
      if mistake == .usesNewestCode, let index = states.parts.firstIndex(where: { $0.name == name }) {
        let newest = FeatureCode(of: feature(name, number))
        states.parts[index].cell = newest.makeCell(continuing: states.parts[index].cell)
      }
      runs.attachingEnded(attachment)
      attached[number] = (attachment, run, name)
      model.attach(name, number, by: action.code.id)
    }

    func detach(_ number: Int, keeping: Bool) {
      guard let (attachment, _, name) = attached[number] else { return }
      var keepsState = keeping
      if mistake == .keepsDiscarded { keepsState = true }
      if mistake == .discardsKept { keepsState = false }
      let numbers = mistake == .detachesAll ? Array(attached.keys) : [number]
      for number in numbers where attached[number]?.name == name {
        let action = FeatureDetached(
          name: name, keepsState: keepsState, attachment: attached[number]!.attachment.number, runs: runs)
        reduce(action)
        runs.settle(attachment, after: action.change)
      }
      attached[number] = nil
      model.detach(name, number, keeping: keeping)
    }

    func perform(_ step: Step) {
      hasReduced = false
      switch step {
      case .attachFirst: attach("a", 1)
      case .attachSecond: attach("a", 10)
      case .attachOther: attach("b", 100)
      case .detachFirst: detach(1, keeping: true)
      case .detachSecondDiscarding: detach(10, keeping: false)
      case .detachOther: detach(100, keeping: true)
      case .act:
        reduce(Act())
        model.act()
      case .snapshot: (snapshot, modelSnapshot) = (states, model.state)
      case .restore: (states, model.state) = (snapshot, modelSnapshot)
      case .reload: reload()
      }
      check()
    }

    private func reload() {
      do {
        states = try JSONDecoder().decode(FeatureStates.self, from: JSONEncoder().encode(states))
      } catch {
        faults.append("\(error)")
      }
    }

    private func check() {
      for name in ["a", "b"] where states[feature(name, 0)].value != model.value(name) {
        faults.append("\(name) is \(states[feature(name, 0)].value), not \(model.value(name))")
      }
      for (number, (attachment, run, name)) in attached {
        if !attachment.isAttached { faults.append("attachment \(number) was lost") }
        if run.isActive != (model.code[name]?.run == run.id) {
          faults.append("the wrong code of \(name) is active")
        }
      }
      if hasReduced, Set(states.attachedNames) != Set(model.code.keys) {
        faults.append("attached: \(states.attachedNames)")
      }
    }
  }

  /// Performs every sequence of steps that begins with an attachment, and returns the number of
  /// sequences and the first fault.
  private func explore(length: Int, _ mistake: Mistake? = nil) -> (count: Int, fault: String?) {
    var count = 0
    var path: [Step] = []
    func visit() -> String? {
      if path.count == length {
        count += 1
        let run = Run(mistake)
        for step in path {
          run.perform(step)
          if let fault = run.faults.first { return "\(path): \(fault)" }
        }
        return nil
      }
      for step in path.isEmpty ? [Step.attachFirst, .reload, .snapshot] : Step.allCases {
        path.append(step)
        defer { path.removeLast() }
        if let fault = visit() { return fault }
      }
      return nil
    }
    let fault = visit()
    return (count, fault)
  }

  @Test("in every sequence of four steps, the states agree with a naive model")
  func everySequence() {
    let (count, fault) = explore(length: 4)
    #expect(count == 3_000)
    #expect(fault == nil)
  }

  @Test("in long random sequences, the states agree with a naive model", arguments: UInt64(1)...60)
  func randomSequences(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let run = Run(nil)
    for _ in 0..<60 { run.perform(Step.allCases.randomElement(using: &random)!) }
    #expect(run.faults.first == nil)
  }

  @Test("each planted mistake is found", arguments: Mistake.allCases)
  func mistakes(mistake: Mistake) {
    #expect(explore(length: 4, mistake).fault != nil)
  }
}
