public import FluxCore
public import FluxMiddleware
public import Foundation

/// Serves a page on which one sees what the stores of a program do, and takes part.
///
/// It is ``/FluxMiddleware/History`` made visible.
///
/// ```swift
/// let inspector = Inspector(port: 8125)
/// let movies = Store(reducer: …, plugins: [inspector.plugin(named: "Movies")], state: …)
/// let session = Store(reducer: …, plugins: [inspector.plugin(named: "Session", redacting: .fields("token"))], state: …)
/// ```
///
/// The page's address, with a token that changes with each run, is written to standard error, or where else one likes.
/// Only this machine can reach it. For one store, the function `inspector(port:)` is all that is needed.
///
/// **Ends.** A store that ends leaves the page. The server stops and the port is free when the inspector and all plug-ins
/// made by it have been released, or after ``stop()``.
///
/// **Cost.** With no page open, a dispatch costs what it costs with a ``/FluxMiddleware/History``. While a page watches a store, each
/// action is noted with its time, its duration and who dispatched it, which takes some microseconds; what pages are told
/// is made on other threads, and a dispatch never waits for the network.
public final class Inspector: Sendable {
  /// When times, durations and origins of actions are noted.
  public struct Noting: Sendable, Equatable {
    fileprivate let isAlways: Bool

    /// While a page watches; what was dispatched before is shown without them.
    public static let whileWatched = Noting(isAlways: false)
    /// Always, which makes each dispatch some microseconds slower, and making an inspector some milliseconds.
    public static let always = Noting(isAlways: true)
  }

  /// Whether inspectors are on unless said otherwise: in debug builds.
  public static var isOnByDefault: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// What a history of one's own is to be made with, for the page to show times, durations and who dispatched.
  public let notes: HistoryNoting

  private let room: InspectorRoom
  private let origins = Origins()
  private let isEnabled: Bool
  private let service: InspectorService

  /// Creates an inspector.
  ///
  /// It serves from the start of its first store on.
  ///
  /// - Parameters:
  ///   - port: Where it listens, on this machine alone; 0 for a port that is free.
  ///   - program: What the page calls the program.
  ///   - isEnabled: Whether there is a page at all. Without one, plug-ins do nothing and cost nothing.
  ///   - noting: When times, durations and origins are noted.
  ///   - sink: Where the page's address is written, and what went wrong.
  ///   - clock: By which it looks, ten times a second, for what a page is to be told.
  public init(
    port: UInt16 = 0, program: String = ProcessInfo.processInfo.processName, isEnabled: Bool = isOnByDefault,
    noting: Noting = .whileWatched, sink: LogSink = .standardError,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    let isAlways = isEnabled && noting.isAlways
    if isAlways { origins.prepare() }
    let notes = HistoryNoting(isOn: isAlways, origin: { [origins] _ in origins.note() })
    room = InspectorRoom(
      program: program, clock: clock, interval: .milliseconds(100),
      beforeWatching: { [origins] in origins.prepare() },
      onWatching: { isWatched in notes.isOn = isAlways || isWatched })
    self.notes = notes
    self.isEnabled = isEnabled
    service = InspectorService(port: port, room: room, sink: sink)
  }

  deinit {
    service.end()
  }

  /// The page's address, once the server listens.
  ///
  /// - Throws: ``InspectorError`` when it cannot listen, or has been stopped.
  public var address: URL {
    get async throws(InspectorError) { try await service.address }
  }

  /// Stops the server, and frees the port.
  ///
  /// It does not start again.
  public func stop() async {
    await service.stop()
  }

  // MARK: - Stores

  /// A plug-in that shows a store on the page.
  ///
  /// - Parameters:
  ///   - name: What the page calls the store; the type of its state, unless said otherwise.
  ///   - history: The history that is shown, one of the store's own that is in its plug-ins before this. Without
  ///     one, the plug-in brings its own.
  ///   - actions: The actions that can be dispatched by hand.
  ///   - redaction: What never leaves the program.
  ///   - limits: How much is told at once.
  public func plugin<State: FluxState>(
    named name: String? = nil, history: History<State>? = nil, actions: ActionRegistry = ActionRegistry(),
    redacting redaction: Redaction = .none, limits: InspectorLimits = InspectorLimits()
  ) -> Plugin<State> {
    plugin(named: name, history, actions, redaction, limits, transfer: nil)
  }

  /// A plug-in that shows a store on the page, whose record can be exported and imported there.
  ///
  /// - Parameters:
  ///   - name: What the page calls the store; the type of its state, unless said otherwise.
  ///   - history: The history that is shown, one of the store's own that is in its plug-ins before this. Without
  ///     one, the plug-in brings its own.
  ///   - actions: The actions that can be dispatched by hand, exported and imported.
  ///   - redaction: What never leaves the program.
  ///   - limits: How much is told at once.
  public func plugin<State: FluxState & Codable>(
    named name: String? = nil, history: History<State>? = nil, actions: ActionRegistry = ActionRegistry(),
    redacting redaction: Redaction = .none, limits: InspectorLimits = InspectorLimits()
  ) -> Plugin<State> {
    plugin(named: name, history, actions, redaction, limits, transfer: .json)
  }

  private func plugin<State: FluxState>(
    named name: String?, _ own: History<State>?, _ registry: ActionRegistry, _ redaction: Redaction,
    _ limits: InspectorLimits, transfer: HistoryTransfer<State>?
  ) -> Plugin<State> {
    guard isEnabled else { return Plugin() }
    let history = own ?? History(named: "inspector", limit: 10_000, noting: notes)
    let inspection = Inspection(
      name: name ?? "\(State.self)", history: history, registry: registry, redaction: redaction,
      limits: limits, transfer: transfer)
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
