import FluxAsync
import FluxCore
import FluxMiddleware
import FluxQuery
import Foundation

/// A store that pages can inspect, independent of the type of its state.
protocol InspectedStore: AnyObject, Sendable {
  var line: PageMessage.StoreLine { get }

  /// Returns the changes of the record since a revision.
  func changes(since revision: HistoryRevision?) -> HistoryChanges
  /// The current revision of the record.
  var revision: HistoryRevision { get }
  /// Returns the log line of an entry of the record.
  func line(of entry: HistoryEntry) -> EntryLine
  /// Returns the origin of an entry, as far as it is known; there is none if the record does not
  /// hold the entry any more.
  func origin(of entry: HistoryEntry.ID) -> OriginText
  /// A Boolean value that indicates whether the store has a query cache.
  var hasQueries: Bool { get }
  /// Returns a part of a state, and the address of the place that the state shows.
  func state(
    at point: PageRequest.Point, path: [String]
  ) throws(Refusal) -> (tree: StateNode, address: String?)
  /// Returns the entries of the query caches in a state, from a position on.
  func queries(at point: PageRequest.Point, from position: Int) throws(Refusal) -> QueryTable
  func changes(of entry: HistoryEntry.ID) throws(Refusal) -> (lines: [PageMessage.ChangeLine], isCut: Bool)
  /// Finds the entries that changed a path, in descending order from a given entry. Each call
  /// examines a bounded number of entries.
  func find(_ path: PathPattern, from newest: Int, limit: Int) throws(Refusal) -> PathSearch.Found
  func action(of entry: HistoryEntry.ID) throws(Refusal) -> (tree: StateNode, json: String?)
  func perform(_ command: HistoryAction.Command) throws(Refusal)
  func dispatch(_ name: String, payload: String) throws(Refusal)
  func export() throws(Refusal) -> String
  func `import`(_ document: String) throws(Refusal)
}

/// The values that determine how the page shows a store.
struct Inspection<State: FluxState>: Sendable {
  let name: String
  let history: History<State>
  let registry: ActionRegistry
  let redaction: Redaction
  let limits: InspectorLimits
  /// The functions that export and import the record; `nil` if the state is not `Codable`.
  let transfer: HistoryTransfer<State>?
  /// A function that returns the address of the place that a state shows.
  var address: (@Sendable (State) -> String?)?
  /// The store of a crash report, which is kept in memory, and can only be read.
  var report: ReportStore<State>?
}

/// A store with the actions of a crash report, and the end of the program.
struct ReportStore<State: FluxState>: Sendable {
  let store: Store<State>
  let line: PageMessage.ReportLine
}

/// Functions that encode a history's record as JSON, and decode the record again.
struct HistoryTransfer<State: FluxState>: Sendable {
  let export: @Sendable (Inspection<State>, StoreProxy<State>) throws(HistoryError) -> Data?
  let `import`: @Sendable (Inspection<State>, Data) throws(HistoryError) -> HistoryImport
}

extension HistoryTransfer where State: Codable {
  static var json: HistoryTransfer {
    HistoryTransfer(
      export: { inspection, store throws(HistoryError) in
        try inspection.history.export(
          from: store, with: inspection.registry, redacting: inspection.redaction)
      },
      import: { inspection, data throws(HistoryError) in
        try inspection.history.importing(data, with: inspection.registry)
      })
  }
}

/// A store with one type of state that pages can inspect.
final class StoreInspection<State: FluxState>: InspectedStore {
  let line: PageMessage.StoreLine
  private let store: StoreProxy<State>
  private let inspection: Inspection<State>
  private let origins: Origins
  /// The time at which the store's clock was at zero; `nil` until the time is needed.
  ///
  /// The time is computed once, so that the page always shows the same time for a result.
  private let clockStart = Locked<Date?>(nil)

  init(id: Int, of inspection: Inspection<State>, store: StoreProxy<State>, origins: Origins) {
    line = PageMessage.StoreLine(
      id: id, name: inspection.name, actions: inspection.registry.registeredNames,
      canExport: inspection.transfer != nil, report: inspection.report?.line)
    self.store = store
    self.inspection = inspection
    self.origins = origins
  }

  private var history: History<State> { inspection.history }

  var revision: HistoryRevision { history.revision }

  func changes(since revision: HistoryRevision?) -> HistoryChanges {
    history.changes(since: revision)
  }

  func line(of entry: HistoryEntry) -> EntryLine {
    EntryLine(
      id: entry.id.rawValue, step: entry.step.rawValue, name: name(of: entry.action),
      text: inspection.redaction.text(of: shown(entry.action)).cut(to: EntryLine.characters),
      time: entry.note.map { $0.time.timeIntervalSince1970 * 1_000 }.flatMap { $0.isFinite ? $0 : nil },
      duration: entry.note.map { $0.duration / .microseconds(1) },
      origin: origin(of: entry), isSkipped: entry.isSkipped, isAmended: entry.isAmended)
  }

  func origin(of entry: HistoryEntry.ID) -> OriginText {
    history.entry(entry).map(origin) ?? .known(nil)
  }

  private func origin(of entry: HistoryEntry) -> OriginText {
    entry.note?.origin.map(origins.lookUp) ?? .known(nil)
  }

  private func name(of action: any Action) -> String {
    if let unknown = action as? UnknownAction { return unknown.name.cut(to: EntryLine.characters) }
    return inspection.registry.name(of: type(of: action)) ?? String(describing: type(of: action))
  }

  /// Returns an action without the payload of another program, if that payload might contain a
  /// secret.
  private func shown(_ action: any Action) -> any Action {
    guard !inspection.redaction.isNone, let unknown = action as? UnknownAction else { return action }
    return UnknownAction(name: unknown.name, payload: unknown.payload.map { inspection.redaction.json($0) })
  }

  // MARK: Looking

  func state(
    at point: PageRequest.Point, path: [String]
  ) throws(Refusal) -> (tree: StateNode, address: String?) {
    let state = try state(at: point)
    guard let node = tree(of: state, label: "state", path: path) else {
      throw Refusal(code: "noSuchPath", message: "The state has no value at that path.")
    }
    return (node, inspection.address?(state)?.cut(to: inspection.limits.characters))
  }

  private func state(at point: PageRequest.Point) throws(Refusal) -> State {
    let state =
      switch point {
      case .current: store.state
      case .base: history.state(behind: nil, in: store)
      case .behind(let entry): history.state(behind: HistoryEntry.ID(rawValue: entry), in: store)
      }
    guard let state else { throw missing(point) }
    return state
  }

  var hasQueries: Bool { store.queryCache != nil }

  func queries(at point: PageRequest.Point, from position: Int) throws(Refusal) -> QueryTable {
    let state = try state(at: point)
    let clockStart = clockStart.withLock { start in
      let known = start ?? Date() - store.time / .seconds(1)
      start = known
      return known
    }
    var builder = QueryTableBuilder(
      limits: inspection.limits, redaction: inspection.redaction,
      countingSubscribersOf: point == .current ? store : nil, clockStart: clockStart)
    return builder.table(of: state, from: position)
  }

  private func missing(_ point: PageRequest.Point) -> Refusal {
    if store.state == nil { return .gone }
    if case .behind(let entry) = point, history.entry(HistoryEntry.ID(rawValue: entry)) == nil {
      return .noSuchEntry
    }
    return .notKept
  }

  private func tree(of value: Any, label: String, path: [String] = []) -> StateNode? {
    StateTree.node(
      of: value, label: label, path: path, limits: inspection.limits, redaction: inspection.redaction)
  }

  func changes(
    of entry: HistoryEntry.ID
  ) throws(Refusal) -> (lines: [PageMessage.ChangeLine], isCut: Bool) {
    guard let (before, after) = history.states(around: entry, in: store) else {
      throw missing(.behind(entry: entry.rawValue))
    }
    let difference = StateDifference(
      from: before, to: after,
      limits: .init(changes: inspection.limits.changes, characters: inspection.limits.characters),
      redacting: inspection.redaction)
    return (difference.changes.map(PageMessage.ChangeLine.init), difference.isTruncated)
  }

  func find(_ path: PathPattern, from newest: Int, limit: Int) throws(Refusal) -> PathSearch.Found {
    guard store.state != nil else { throw .gone }
    let first = history.changes(since: history.revision).first.rawValue
    return PathSearch.find(from: newest, first: first, limit: limit) { number in
      let id = HistoryEntry.ID(rawValue: number)
      guard history.entry(id) != nil else { return nil }
      // Without kept states, it is unknown whether the entry changed the path.
      guard let (before, after) = history.states(around: id, in: store) else { return false }
      // The search uses the redacted difference, so that it reveals no secret.
      return StateDifference(
        from: before, to: after, limits: .init(changes: inspection.limits.changes, characters: 1),
        redacting: inspection.redaction
      ).changes.contains { path.matches($0.path) }
    }
  }

  func action(of entry: HistoryEntry.ID) throws(Refusal) -> (tree: StateNode, json: String?) {
    guard let action = history.entry(entry)?.action else { throw .noSuchEntry }
    guard let tree = tree(of: shown(action), label: name(of: action)) else { throw .noSuchEntry }
    return (tree, try json(of: action))
  }

  private func json(of action: any Action) throws(Refusal) -> String? {
    do {
      let json = try inspection.registry.encode(action, redacting: inspection.redaction)
      return json.map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw Refusal(error)
    }
  }

  // MARK: Doing

  func perform(_ command: HistoryAction.Command) throws(Refusal) {
    guard line.report == nil else { throw .readOnly }
    Origins.asPage { store.dispatch(HistoryAction(command, in: history.name)) }
  }

  func dispatch(_ name: String, payload: String) throws(Refusal) {
    guard line.report == nil else { throw .readOnly }
    do {
      let action = try inspection.registry.decode(name, from: Data(payload.utf8))
      Origins.asPage { store.dispatch(action) }
    } catch {
      throw Refusal(error)
    }
  }

  func export() throws(Refusal) -> String {
    guard let transfer = inspection.transfer else { throw .noTransfer }
    let data: Data?
    do {
      data = try transfer.export(inspection, store)
    } catch {
      throw Refusal(error)
    }
    guard let data else { throw .gone }
    // The size is checked before the export waits to be sent, so that an oversized export for a
    // slow page does not stay in memory.
    guard data.count <= MessageAssembly.most else { throw .tooLarge }
    return String(decoding: data, as: UTF8.self)
  }

  func `import`(_ document: String) throws(Refusal) {
    guard line.report == nil else { throw .readOnly }
    guard let transfer = inspection.transfer else { throw .noTransfer }
    do {
      let action = try transfer.import(inspection, Data(document.utf8))
      Origins.asPage { store.dispatch(action) }
    } catch {
      throw Refusal(error)
    }
  }
}

extension Refusal {
  static let noSuchEntry = Refusal(
    code: "noSuchEntry", message: "The history no longer contains that entry.")
  static let notKept = Refusal(
    code: "notKept",
    message: "The history has not kept that state. To compute the state, jump to that action.")
  static let noTransfer = Refusal(
    code: "noTransfer",
    message: "The state of this store is not Codable, so its history cannot be exported.")
}

extension PageMessage.ChangeLine {
  init(_ change: StateDifference.Change) {
    self.init(path: change.path, kind: "\(change.kind)", before: change.old, after: change.new)
  }
}
