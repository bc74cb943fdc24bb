import FluxCore

/// The states of the features of an app, which can be attached while the store is running.
///
/// ```swift
/// struct AppState: FluxState, Codable {
///   var features = FeatureStates()
/// }
///
/// let count = store.state.features[statistics].count
/// ```
///
/// A feature that has no state yet has its initial state. When a feature is attached with
/// ``Features/attach(_:)``, it receives the state that was saved or kept for it.
///
/// The states of `Codable` features are encoded under the names of the features. Decoding keeps
/// each state as JSON until its feature is attached, and encoding writes it again unchanged.
/// Therefore, saving the state of an app does not lose the states of features that were not
/// attached. Two kinds of numbers change: a number with more than 38 digits is truncated, and
/// `-0.0` becomes `0`.
///
/// The value also contains the reducers of the attached features. Two values are equal if the
/// same features are attached and have equal states, regardless of the number of attachments.
/// States that are not `Equatable` are never equal. A decoded value is not equal to the encoded
/// one, because its states are JSON.
public struct FeatureStates: Sendable {
  /// The state of a feature that is attached, or that was attached in this process.
  struct Part: Sendable {
    let name: String
    var cell: any FeatureCell
    /// The code of the feature, or `nil` if the feature was detached and its state was kept.
    ///
    /// The first attachment brings the code, which is used until the last attachment is gone.
    var code: FeatureCode?
    /// The attachments of the feature in the order in which they were made.
    var attachments: [FeatureNumber] = []
  }

  var parts: [Part] = []
  /// The saved states of features that have not been attached since the value was decoded.
  var saved: [String: JSONValue] = [:]
  /// The saved states that an attached feature could not decode, by the name of the feature.
  ///
  /// The states are encoded again unchanged.
  public internal(set) var unreadableStates: [String: [JSONValue]] = [:]
  /// The number of the last change to the attached features.
  var revision = FeatureNumber.none
  /// The value that a history restored, if it did not contain exactly the attached features.
  ///
  /// A replay of later entries starts with this value, so that it repeats what happened.
  private var restored: CopyOnWrite<FeatureStates>?

  /// Creates a value without features.
  public init() {}

  // MARK: Reading

  /// The state of a feature, or its initial state if the feature has no state.
  ///
  /// If the feature has a saved state and was not attached, the value is the saved state. A saved
  /// state that cannot be decoded is not used.
  ///
  /// Assign a value to create a state for a test or a preview, or to change a state in the reducer
  /// of the app. The assignment does not attach the feature. See ``attach(_:)``. The new value
  /// replaces a saved state. A saved state that cannot be decoded is moved to ``unreadableStates``,
  /// and is not reported as a problem. If a feature with the same name and another type of state is
  /// attached, the assignment stops the program with a message.
  ///
  /// The subscript takes O(n) time for n features. Each access to a saved state also decodes the
  /// state, until the feature is attached or a value is assigned. If code outside a reducer reads
  /// the state often, attach the feature first.
  public subscript<State>(feature: Feature<State>) -> State {
    get { state(of: feature) ?? (try? savedState(of: feature)) ?? feature.initialState }
    set {
      guard let index = parts.firstIndex(where: { $0.name == feature.name }) else {
        if let json = saved[feature.name], (try? savedState(of: feature)) == nil {
          keepUnreadable(json, of: feature.name)
        }
        saved[feature.name] = nil
        return parts.append(Part(name: feature.name, cell: FeatureStateCell(reducer: nil, state: newValue)))
      }
      let reducer = (parts[index].cell as? FeatureStateCell<State>)?.reducer
      if reducer == nil, parts[index].code != nil { Misuse.featureWithTwoTypes(feature.name) }
      parts[index].cell = FeatureStateCell(reducer: reducer, state: newValue)
    }
  }

  /// Returns a Boolean value that indicates whether a feature is attached.
  ///
  /// In the state of a store, the feature is attached after ``Features/attach(_:)`` returns, also
  /// if a history replaces the state, for example with an undo. If a reducer or another plug-in
  /// replaces the value, the new value determines the result until the next action. That action
  /// attaches exactly the features that are attached to the store. ``AttachedFeature/isAttached``
  /// does not depend on the state.
  public func isAttached<State>(_ feature: Feature<State>) -> Bool {
    parts.contains { $0.name == feature.name && $0.code != nil }
  }

  /// The names of the attached features, in the order in which they were first attached.
  public var attachedNames: [String] {
    parts.lazy.filter { $0.code != nil }.map(\.name)
  }

  /// Returns the state of a feature, or `nil` if the feature has no state.
  func state<State>(of feature: Feature<State>) -> State? {
    let part = parts.first { $0.name == feature.name }
    return (part?.cell as? FeatureStateCell<State>)?.state
  }

  /// Returns the saved state of a feature, or `nil` if the feature has no saved state.
  ///
  /// The method throws an error if the state cannot be decoded.
  private func savedState<State>(of feature: Feature<State>) throws -> State? {
    try saved[feature.name]?.decoded(as: State.self)
  }

  /// Keeps a saved state that cannot be decoded.
  ///
  /// A state that each launch saves again is kept once.
  private mutating func keepUnreadable(_ json: JSONValue, of name: String) {
    if unreadableStates[name]?.contains(json) == true { return }
    unreadableStates[name, default: []].append(json)
  }

  /// Returns the state of an attached or detached feature with a name, or `nil` if it has none.
  func value(of name: String) -> (any Sendable)? { parts.first { $0.name == name }?.cell.value }

  /// Returns a Boolean value that indicates whether the state of a feature has another type than
  /// the code of a feature with the same name.
  func hasState(ofOtherTypeThan code: FeatureCode) -> Bool {
    parts.contains { $0.name == code.name && type(of: $0.cell) != code.cellType }
  }

  /// The attached features.
  var attached: [AttachedCode] {
    parts.compactMap { part in part.code.map { AttachedCode(code: $0, attachments: part.attachments) } }
  }

  // MARK: Reducing

  /// Reduces an action with the reducers of the attached features.
  mutating func reduce(_ action: any Action) {
    for index in parts.indices { parts[index].cell.reduce(action) }
  }

  // MARK: Attaching and detaching

  /// Adds an attachment of a feature.
  ///
  /// If the feature is attached already, its code does not change.
  ///
  /// - Returns: The problem, if the saved state of the feature could not be decoded.
  mutating func attach(_ code: FeatureCode, as attachment: FeatureNumber) -> FeatureError? {
    revision = attachment
    return add(AttachedCode(code: code, attachments: [attachment]))
  }

  /// Adds a feature, or adds attachments if the feature is attached.
  ///
  /// - Returns: The problem, if the saved state of the feature could not be decoded.
  mutating func add(_ new: AttachedCode) -> FeatureError? {
    guard let index = parts.firstIndex(where: { $0.name == new.code.name }) else {
      let (cell, problem) = makeCell(of: new.code)
      parts.append(
        Part(name: new.code.name, cell: cell, code: new.code, attachments: new.attachments))
      return problem
    }
    if parts[index].code == nil {
      let cell = new.code.makeCell(continuing: parts.remove(at: index).cell)
      parts.append(
        Part(name: new.code.name, cell: cell, code: new.code, attachments: new.attachments))
    } else {
      parts[index].attachments += new.attachments.filter { !parts[index].attachments.contains($0) }
    }
    return nil
  }

  private mutating func makeCell(of code: FeatureCode) -> (any FeatureCell, FeatureError?) {
    guard let json = saved.removeValue(forKey: code.name) else { return (code.makeCell(), nil) }
    do {
      return (try code.makeCell(decoding: json), nil)
    } catch {
      keepUnreadable(json, of: code.name)
      return (code.makeCell(), FeatureError(.unreadableState, of: code.name, reason: error.codingReason))
    }
  }

  /// Removes an attachment, and detaches the feature if it has no other attachment.
  ///
  /// - Parameters:
  ///   - attachment: The number of the attachment.
  ///   - keepsState: A Boolean value that indicates whether the state of a detached feature is
  ///     kept.
  ///   - revision: The number of the change.
  mutating func detach(
    _ attachment: FeatureNumber, keepingState keepsState: Bool, as revision: FeatureNumber
  ) {
    self.revision = revision
    guard let index = parts.firstIndex(where: { $0.attachments.contains(attachment) }) else { return }
    parts[index].attachments.removeAll { $0 == attachment }
    guard parts[index].attachments.isEmpty else { return }
    if keepsState { parts[index].detach() } else { parts.remove(at: index) }
  }

  /// Attaches exactly the given features, after the value was replaced.
  ///
  /// For example, an undo or a restored state does not change which features are attached.
  ///
  /// - Returns: The problems with saved states that could not be decoded.
  mutating func align(with attached: [AttachedCode], as revision: FeatureNumber) -> [FeatureError] {
    for index in parts.indices { parts[index].detach() }
    let problems = attached.compactMap { add($0) }
    self.revision = revision
    restored = nil
    return problems
  }

  /// Attaches exactly the given features until the next action, after a history restored the value.
  ///
  /// - Returns: The problems with saved states that could not be decoded, and a Boolean value that
  ///   indicates whether other features were attached in the restored value.
  mutating func alignRestored(
    with attached: [AttachedCode]
  ) -> (problems: [FeatureError], hasOtherFeatures: Bool) {
    revertToRestored()
    let original = self
    if original.attached == attached { return ([], false) }
    let problems = align(with: attached, as: .repeated)
    restored = CopyOnWrite(original)
    return (problems, original.attached.map(\.code.id) != attached.map(\.code.id))
  }

  /// A Boolean value that indicates whether a history restored the value, and attached other
  /// features until the next action.
  var isAlignedRestored: Bool { restored != nil }

  /// Returns to the value that a history restored, before the history reduces actions again.
  mutating func revertToRestored() {
    if let restored { self = restored.value }
  }
}

extension FeatureStates.Part {
  /// Removes the code, and keeps the state.
  mutating func detach() {
    code = nil
    attachments = []
    cell.detach()
  }
}

extension FeatureStates: Equatable {
  /// Returns a Boolean value that indicates whether the same features are attached and have equal
  /// states.
  public static func == (left: FeatureStates, right: FeatureStates) -> Bool {
    left.saved == right.saved && left.unreadableStates == right.unreadableStates
      && left.parts.count == right.parts.count
      && left.parts.allSatisfy { part in
        right.parts.contains { part.isEqual(to: $0) }
      }
  }
}

extension FeatureStates.Part {
  fileprivate func isEqual(to other: FeatureStates.Part) -> Bool {
    name == other.name && (code == nil) == (other.code == nil)
      && areDynamicallyEqual(cell.value, other.cell.value) == true
  }
}
