import FluxCore
import Foundation
import Synchronization

/// A number that identifies one attachment of a feature, or one change to the attached features.
struct FeatureNumber: Hashable, Sendable {
  private static let last = Atomic<UInt64>(0)

  let rawValue: UInt64

  /// The number of states that no feature was ever attached to.
  static let none = FeatureNumber(rawValue: 0)
  /// The number of states that were decoded, whose features are not attached.
  static let decoded = FeatureNumber(rawValue: .max)
  /// The number of states that were decoded from an imported history.
  static let imported = FeatureNumber(rawValue: .max - 1)
  /// The number of states in which a history has repeated a change.
  ///
  /// The next action aligns such states, because the repeated change may have found other features.
  static let repeated = FeatureNumber(rawValue: .max - 2)

  /// The number of the states that the current task decodes.
  @TaskLocal static var ofDecodedStates = FeatureNumber.decoded

  init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Creates a number that no other attachment or change has.
  init() {
    rawValue = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

/// The code of an attached feature, which the state contains together with the feature's state.
///
/// The reducer of a feature is part of the state, so that an action that is reduced again, for
/// example after an undo, has the same effect as the first time.
struct FeatureCode: Sendable {
  let id: FeatureNumber
  let name: String
  /// The type of the cells, which contain the state of the feature.
  let cellType: any FeatureCell.Type
  private let initial: @Sendable () -> any FeatureCell
  private let decoding: @Sendable (JSONValue) throws -> any FeatureCell
  private let continuing: @Sendable (any FeatureCell) -> any FeatureCell

  /// Creates the code of a feature.
  ///
  /// - Parameters:
  ///   - feature: The feature.
  ///   - id: The identity of the run that uses the code.
  ///   - wrap: A function of the plug-ins that wraps the reducer of the feature.
  init<State>(
    of feature: Feature<State>, id: FeatureNumber = FeatureNumber(),
    wrapping wrap: (@Sendable (@escaping MutatingReducer<State>) -> MutatingReducer<State>)? = nil
  ) {
    // The operator `??` would convert the function, which costs instructions at each action.
    let reducer = if let wrap { wrap(feature.reducer) } else { feature.reducer }
    let make: @Sendable (State) -> any FeatureCell = { FeatureStateCell(reducer: reducer, state: $0) }
    self.id = id
    name = feature.name
    cellType = FeatureStateCell<State>.self
    initial = { make(feature.initialState) }
    decoding = { json in make(try json.decoded(as: State.self)) }
    continuing = { kept in make((kept as? FeatureStateCell<State>)?.state ?? feature.initialState) }
  }

  /// Returns a cell with the initial state of the feature.
  func makeCell() -> any FeatureCell { initial() }

  /// Returns a cell with a saved state.
  func makeCell(decoding json: JSONValue) throws -> any FeatureCell { try decoding(json) }

  /// Returns a cell with the state that the feature had when it was detached.
  func makeCell(continuing kept: any FeatureCell) -> any FeatureCell { continuing(kept) }
}

/// The code of an attached feature, with the attachments of the feature.
struct AttachedCode: Sendable, Equatable {
  let code: FeatureCode
  let attachments: [FeatureNumber]

  static func == (left: AttachedCode, right: AttachedCode) -> Bool {
    left.code.id == right.code.id && left.attachments == right.attachments
  }
}

/// The state of a feature, whose type only the feature knows.
protocol FeatureCell: Sendable {
  /// The state of the feature.
  var value: any Sendable { get }

  /// Reduces an action with the reducer of the feature, if the feature is attached.
  mutating func reduce(_ action: any Action)

  /// Removes the reducer.
  mutating func detach()
}

struct FeatureStateCell<State: FluxState>: FeatureCell {
  // The reducer is the first property, because its offset then does not depend on the state.
  var reducer: MutatingReducer<State>?
  var state: State

  var value: any Sendable { state }

  mutating func reduce(_ action: any Action) {
    reducer?(&state, action)
  }

  mutating func detach() {
    reducer = nil
  }
}

extension JSONValue {
  /// Returns the value of a type that the document contains.
  func decoded<Value>(as type: Value.Type) throws -> Value {
    let data = try JSONEncoder.ofHistory().encode(self)
    guard let decodable = type as? any Decodable.Type,
      let value = try JSONDecoder.ofHistory().decode(decodable, from: data) as? Value
    else {
      let reason = "the type \(type) is not Decodable"
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: reason))
    }
    return value
  }
}
