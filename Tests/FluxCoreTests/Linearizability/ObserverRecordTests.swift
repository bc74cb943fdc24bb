import TestSupport
import Testing

@Suite("The calls of observers compared with a history")
struct ObserverRecordTests {
  private static let history = [
    StoreOperation(thread: 0, kind: .dispatch(1), invoked: 1, returned: 5),
    StoreOperation(thread: 0, kind: .dispatch(2), invoked: 6, returned: 10),
  ]

  @Test("calls of both observers for each version, or for the last version only, match")
  func fits() {
    #expect(Self.contradiction(Self.pass([1], at: 2) + Self.pass([1, 2], at: 7)) == nil)
    #expect(Self.contradiction(Self.pass([1, 2], at: 7)) == nil)
  }

  @Test("each mismatch is reported by its name", arguments: Broken.allCases)
  func isFound(broken: Broken) throws {
    let contradiction = Self.contradiction(broken.calls, transitions: broken.transitions)
    #expect(try #require(contradiction).contains(broken.rawValue))
  }

  /// The mistakes of a record, and their descriptions.
  enum Broken: String, CaseIterable, Sendable {
    case repeatedVersion = "heard what is not newer"
    case neverWas = "heard what never was"
    case lastIsMissing = "has not heard the last"
    case otherOrder = "breaks off before"
    case future = "before it was dispatched"
    case missingTransition = "have versions"
    case wrongTransition = "are of"

    var calls: [ObserverRecord.Call] {
      switch self {
      case .repeatedVersion: pass([1, 2], at: 7) + pass([1, 2], at: 9)
      case .neverWas: pass([2], at: 7) + pass([1, 2], at: 9)
      case .lastIsMissing: pass([1], at: 2)
      case .otherOrder: pass([1, 2], at: 7).reversed()
      case .future: pass([1, 2], at: 4)
      case .missingTransition, .wrongTransition: pass([1, 2], at: 7)
      }
    }

    var transitions: [ObserverRecord.Transition] {
      switch self {
      case .missingTransition: [.init(action: 1, version: 1)]
      case .wrongTransition: [.init(action: 2, version: 1), .init(action: 1, version: 2)]
      default: bothTransitions
      }
    }
  }

  private static let bothTransitions: [ObserverRecord.Transition] = [
    .init(action: 1, version: 1), .init(action: 2, version: 2),
  ]

  private static func pass(_ log: [Int], at moment: Int) -> [ObserverRecord.Call] {
    (0...1).map { ObserverRecord.Call(observer: $0, log: log, moment: moment) }
  }

  private static func contradiction(
    _ calls: [ObserverRecord.Call], transitions: [ObserverRecord.Transition] = bothTransitions
  ) -> String? {
    ObserverRecord(calls: calls, transitions: transitions).contradiction(to: history, endingWith: [1, 2])
  }
}
