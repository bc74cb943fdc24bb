import FluxCore
import Foundation
import Synchronization

#if os(Linux) && canImport(Runtime)
  import Runtime
#endif

/// Who dispatched an action, as it is noted on the thread that dispatches.
enum Origin: Sendable {
  case text(String)
  #if os(Linux) && canImport(Runtime)
    case trace(Backtrace)
  #endif
}

/// Finds out who dispatches: noted quickly, and told in words when a page wants to know.
///
/// On Linux it is the function, with its file and line, that called the store. Elsewhere, and where the stack
/// cannot be read, it is the name of the task or the thread.
///
/// Where the program's code lies in memory takes long to find out, and a dispatch is noted under the store's
/// lock. So it is found out once, before the first note is to be taken. A library that is loaded later is not
/// known, and functions in it are passed over.
final class Origins: Sendable {
  /// A dispatch by a page, for as long as it takes: work that it starts has this too, and dispatches for itself.
  private final class PageTurn: Sendable {
    let isOver = Atomic(false)
  }

  @TaskLocal private static var pageTurn: PageTurn?

  /// Dispatches for a page.
  static func asPage(_ dispatch: () -> Void) {
    let turn = PageTurn()
    $pageTurn.withValue(turn, operation: dispatch)
    turn.isOver.store(true, ordering: .relaxed)
  }

  /// Finds out what notes are taken with, unless it is known; to be called before they are.
  func prepare() {
    #if os(Linux) && canImport(Runtime)
      guard images.withLock({ $0 == nil }) else { return }
      // Outside the lock, for which a dispatch might wait. Two pages at once both look, and find the same.
      let found = ImageMap.capture()
      images.withLock { $0 = $0 ?? found }
    #endif
  }

  /// Notes who dispatches.
  func note() -> (any Sendable)? {
    if let turn = Self.pageTurn, !turn.isOver.load(ordering: .relaxed) {
      return Origin.text("the inspector's page")
    }
    #if os(Linux) && canImport(Runtime)
      if let trace = trace() { return Origin.trace(trace) }
    #endif
    return Self.threadName.map(Origin.text)
  }

  private static var threadName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), let name = Task.name {
      return "task \(name)"
    }
    if Thread.isMainThread { return "main thread" }
    return Thread.current.name.flatMap { $0.isEmpty ? nil : "thread \($0)" }
  }

  #if os(Linux) && canImport(Runtime)
    /// Where the program's code lies in memory.
    private let images = Locked<ImageMap?>(nil)
    /// What has been told before, by addresses.
    private let known = Locked<[String: String?]>([:])

    private func trace() -> Backtrace? {
      // Without, the system would look for itself.
      guard let images = images.withLock({ $0 }) else { return nil }
      // A stack that cannot be read is no error of anybody's: the thread's name has to do.
      return try? Backtrace.capture(algorithm: .fast, limit: 48, offset: 0, top: 0, images: images)
    }
  #endif

  /// Who dispatched, in words; `nil` if that cannot be told.
  func text(_ origin: any Sendable) -> String? {
    switch origin as? Origin {
    case .text(let text): return text
    #if os(Linux) && canImport(Runtime)
      case .trace(let trace):
        let key = trace.frames.map { "\($0)" }.joined(separator: " ")
        if let text = known.withLock({ $0[key] }) { return text }
        let text = trace.symbolicated(with: images.withLock { $0 })?.dispatcher
        known.withLock { known in
          if known.count > 1_000 { known = [:] }
          known[key] = text
        }
        return text
    #endif
    case nil: return nil
    }
  }
}

#if os(Linux) && canImport(Runtime)
  extension SymbolicatedBacktrace {
    /// The first function outside Flux that the innermost dispatch was called by.
    fileprivate var dispatcher: String? {
      let callers = frames.compactMap { $0.symbol.map(Caller.init) }
      let dispatch = callers.firstIndex { $0.isOfFlux && $0.isDispatch } ?? 0
      return callers[dispatch...].first { $0.isOfProgram }?.text
    }
  }

  /// A function on the stack.
  private struct Caller {
    let symbol: SymbolicatedBacktrace.Symbol

    /// The module that a mangled name begins with: `$s` and the module's name behind its length.
    private var module: Substring? {
      guard symbol.rawName.hasPrefix("$s") else { return nil }
      let name = symbol.rawName.dropFirst(2)
      guard let length = Int(name.prefix { $0.isNumber }), length > 0 else { return nil }
      return name.drop { $0.isNumber }.prefix(length)
    }

    private static let modules: Set<Substring> = [
      "FluxCore", "FluxCollections", "FluxMiddleware", "FluxAsync", "FluxUI", "FluxTesting", "FluxInspector",
    ]

    var isOfFlux: Bool { module.map(Self.modules.contains) ?? false }

    /// Whether it is the way into a store.
    var isDispatch: Bool {
      ["8dispatch", "13dispatchAsync", "20dispatchThroughChain"].contains { symbol.rawName.contains($0) }
    }

    var isOfProgram: Bool {
      if module == nil { return ["main", "async_Main"].contains(symbol.rawName) }
      return !isOfFlux && (symbol.sourceLocation?.line ?? 1) > 0
    }

    var text: String {
      guard let place = symbol.sourceLocation else { return symbol.name }
      let file = place.path.split(separator: "/").last ?? "?"
      return "\(file):\(place.line) \(symbol.rawName == "main" ? "main" : symbol.name)"
    }
  }
#endif
