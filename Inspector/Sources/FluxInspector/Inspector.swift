public import FluxCore
public import FluxLog
public import FluxMiddleware
public import Foundation

/// A server whose page shows and controls the stores of a program.
///
/// The page displays a ``/FluxMiddleware/History`` of each store.
///
/// ```swift
/// let inspector = Inspector(port: 8125)
/// let movies = Store(reducer: …, plugins: [inspector.plugin(named: "Movies")], state: …)
/// let session = Store(reducer: …, plugins: [inspector.plugin(named: "Session", redacting: .fields("token"))], state: …)
/// ```
///
/// The page's address is written to standard error, or to another sink. The address contains a
/// token that changes with each run. Only this machine can reach the page. For a single store,
/// use the function `inspector(port:)` instead.
///
/// **Lifetime.** When a store is released, the page removes it. The server stops and the port is
/// free after ``stop()``, or when the inspector and all plug-ins made by it have been released.
///
/// **Cost.** While no page is open, a dispatch costs the same as in a store that has only a
/// ``/FluxMiddleware/History``. While a page watches a store, the time, duration, and origin of
/// each action are recorded, which takes some microseconds. Messages to pages are made on other
/// threads, and a dispatch never waits for the network.
public final class Inspector: Sendable {
  /// The condition under which times, durations, and origins of actions are recorded.
  public struct Noting: Sendable, Equatable {
    fileprivate let isAlways: Bool

    /// Records times, durations, and origins while a page watches the store.
    ///
    /// The page shows earlier actions without times, durations, and origins.
    public static let whileWatched = Noting(isAlways: false)
    /// Always records times, durations, and origins.
    ///
    /// Each dispatch is some microseconds slower, and the creation of an inspector is some
    /// milliseconds slower.
    public static let always = Noting(isAlways: true)
  }

  /// A Boolean value that indicates whether inspectors are enabled by default: `true` in debug
  /// builds.
  public static var isOnByDefault: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// The notes for a history that the program creates, so that the page shows times, durations,
  /// and origins.
  public let notes: HistoryNoting

  private let room: InspectorRoom
  private let origins: Origins
  private let isEnabled: Bool
  private let service: InspectorService

  /// Creates an inspector.
  ///
  /// The server starts when the first store is created with a plug-in of the inspector.
  ///
  /// - Parameters:
  ///   - port: The port on which the server listens, on this machine only; 0 for a free port.
  ///   - program: The name of the program on the page.
  ///   - isEnabled: A Boolean value that indicates whether the inspector serves a page. If the
  ///     value is `false`, the plug-ins of the inspector do nothing and cost nothing.
  ///   - noting: The condition under which times, durations, and origins are recorded.
  ///   - sink: The sink to which the page's address and failures are written.
  ///   - clock: The clock by which the inspector checks, ten times a second, for news for the
  ///     pages.
  public convenience init(
    port: UInt16 = 0, program: String = ProcessInfo.processInfo.processName, isEnabled: Bool = isOnByDefault,
    noting: Noting = .whileWatched, sink: LogSink = .standardError,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      port: port, program: program, isEnabled: isEnabled, noting: noting, sink: sink, clock: clock,
      resolver: DebugInformation())
  }

  /// Creates an inspector that finds origins with a resolver.
  package init(
    port: UInt16, program: String, isEnabled: Bool, noting: Noting, sink: LogSink,
    clock: some Clock<Duration>, resolver: some CallStackResolver
  ) {
    let origins = Origins(resolver: resolver)
    let isAlways = isEnabled && noting.isAlways
    if isAlways { origins.prepare() }
    let notes = HistoryNoting(isOn: isAlways, origin: { _ in origins.note() })
    room = InspectorRoom(
      program: program, clock: clock, interval: .milliseconds(100), origins: origins,
      onWatching: { isWatched in notes.isOn = isAlways || isWatched })
    self.origins = origins
    self.notes = notes
    self.isEnabled = isEnabled
    service = InspectorService(port: port, room: room, sink: sink)
  }

  deinit {
    service.end()
  }

  /// The page's address, available as soon as the server listens.
  ///
  /// - Throws: ``InspectorError`` if the server cannot listen, or has been stopped.
  public var address: URL {
    get async throws(InspectorError) { try await service.address }
  }

  /// Stops the server, and frees the port.
  ///
  /// The server does not start again.
  public func stop() async {
    await service.stop()
  }

  // MARK: - Stores

  /// Returns a plug-in that shows a store on the page.
  ///
  /// - Parameters:
  ///   - name: The name of the store on the page. By default, the type of its state.
  ///   - history: The history that is shown. Its plug-in must precede this plug-in in the store's
  ///     list of plug-ins. If the value is `nil`, the plug-in creates a history.
  ///   - actions: The actions that the page can dispatch.
  ///   - redaction: The values that never leave the program.
  ///   - limits: The limits of the data in one message.
  ///   - address: A closure that returns the address of the place that a state shows, such as the
  ///     URL from a `RouteMap`. The page shows it with the state. The redaction does not apply to
  ///     the address.
  public func plugin<State: FluxState>(
    named name: String? = nil, history: History<State>? = nil, actions: ActionRegistry = ActionRegistry(),
    redacting redaction: Redaction = .none, limits: InspectorLimits = InspectorLimits(),
    address: (@Sendable (_ state: State) -> String?)? = nil
  ) -> Plugin<State> {
    plugin(named: name, history, actions, redaction, limits, address, transfer: nil)
  }

  /// Returns a plug-in that shows a store on the page, where its record can be exported and
  /// imported.
  ///
  /// - Parameters:
  ///   - name: The name of the store on the page. By default, the type of its state.
  ///   - history: The history that is shown. Its plug-in must precede this plug-in in the store's
  ///     list of plug-ins. If the value is `nil`, the plug-in creates a history.
  ///   - actions: The actions that the page can dispatch, export, and import.
  ///   - redaction: The values that never leave the program.
  ///   - limits: The limits of the data in one message.
  ///   - address: A closure that returns the address of the place that a state shows, such as the
  ///     URL from a `RouteMap`. The page shows it with the state. The redaction does not apply to
  ///     the address.
  public func plugin<State: FluxState & Codable>(
    named name: String? = nil, history: History<State>? = nil, actions: ActionRegistry = ActionRegistry(),
    redacting redaction: Redaction = .none, limits: InspectorLimits = InspectorLimits(),
    address: (@Sendable (_ state: State) -> String?)? = nil
  ) -> Plugin<State> {
    plugin(named: name, history, actions, redaction, limits, address, transfer: .json)
  }

  // MARK: - Crash reports

  /// Shows a crash report on the page, as a store that can only be read.
  ///
  /// The page shows the recorded actions, the changes of each, and the state after each. A
  /// sentence states how the program ended. The last action is the action that was being reduced.
  /// It is not reduced again, because the reducer could crash again. If the report cannot be
  /// replayed completely, the page shows the last actions that can be replayed, and the number of
  /// the other actions.
  ///
  /// The inspector keeps the report until it is released. The method reduces all actions before it
  /// returns, and starts no work. If the inspector is disabled, the method does nothing.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - name: The name of the report on the page. By default, the type of the state.
  ///   - actions: The actions that can be decoded.
  ///   - redaction: The values that never leave the program.
  ///   - limits: The limits of the data in one message.
  ///   - reducer: The reducer of the store, including the reducers of plug-ins.
  /// - Throws: An error with the code `notRecorded` if no step can be replayed, or `undecodable`.
  public func show<State: FluxState & Codable>(
    _ report: CrashReport, named name: String? = nil, actions: ActionRegistry,
    redacting redaction: Redaction = .none, limits: InspectorLimits = InspectorLimits(),
    reducer: @escaping MutatingReducer<State>
  ) throws(LogError) {
    guard isEnabled else { return }
    let replayed = try ReplayedReport(report, actions: actions, reducer: reducer)
    let store = Store(
      reducer: { (_: inout State, _) in }, plugins: [replayed.history.plugin], state: replayed.state)
    let inspection = Inspection(
      name: name ?? "\(State.self)", history: replayed.history, registry: actions, redaction: redaction,
      limits: limits, transfer: .json, report: ReportStore(store: store, line: replayed.line))
    _ = room.add { StoreInspection(id: $0, of: inspection, store: store.proxy, origins: origins) }
    service.start()
  }

  private func plugin<State: FluxState>(
    named name: String?, _ own: History<State>?, _ registry: ActionRegistry, _ redaction: Redaction,
    _ limits: InspectorLimits, _ address: (@Sendable (State) -> String?)?, transfer: HistoryTransfer<State>?
  ) -> Plugin<State> {
    guard isEnabled else { return Plugin() }
    let history = own ?? History(named: "inspector", limit: 10_000, noting: notes)
    let inspection = Inspection(
      name: name ?? "\(State.self)", history: history, registry: registry, redaction: redaction,
      limits: limits, transfer: transfer, address: address)
    let place = StorePlace()
    var plugin = own == nil ? history.plugin : Plugin<State>()
    plugin.onStoreStart = { [self] context in
      guard let store = context.store(of: State.self) else {
        return service.say(
          "\(State.self) is not the state of the store, and is not shown. Do not lift the plug-in.")
      }
      place.id = room.add { StoreInspection(id: $0, of: inspection, store: store, origins: origins) }
      service.start()
    }
    plugin.onStoreEnd = { [room] _ in place.id.map(room.remove) }
    return plugin
  }
}

/// The number that a store has on the page.
private final class StorePlace: Sendable {
  private let number = Locked<Int?>(nil)

  var id: Int? {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
  }
}
