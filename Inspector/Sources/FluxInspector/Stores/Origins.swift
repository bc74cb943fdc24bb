import FluxCore
import Foundation
import Synchronization

#if os(Linux) && canImport(Runtime)
  import Runtime
#endif

/// The origin of a dispatch, recorded on the thread that dispatches.
enum Origin: Sendable {
  case text(String)
  #if os(Linux) && canImport(Runtime)
    case trace(Backtrace)
  #endif
}

/// Finds the origin of each dispatch: it records quickly, and makes a text only when a page
/// requests it.
///
/// On Linux the origin is the function, with its file and line, that called the store.
/// Elsewhere, and if the stack cannot be read, it is the name of the task or the thread.
///
/// Finding the addresses of the program's code takes a long time, and the origin of a dispatch is
/// recorded under the store's lock. Therefore, the addresses are found once, before the first
/// dispatch is recorded. A library that is loaded later is unknown, and its functions are
/// skipped.
final class Origins: Sendable {
  /// A dispatch by a page, which is over when the call returns.
  ///
  /// Work that the dispatch starts inherits this value, but later dispatches of the work have
  /// their own origins.
  private final class PageTurn: Sendable {
    let isOver = Atomic(false)
  }

  @TaskLocal private static var pageTurn: PageTurn?

  /// Runs a dispatch for a page.
  static func asPage(_ dispatch: () -> Void) {
    let turn = PageTurn()
    $pageTurn.withValue(turn, operation: dispatch)
    turn.isOver.store(true, ordering: .relaxed)
  }

  /// Finds the addresses of the program's code, unless they are known.
  ///
  /// Call this method before the first record.
  func prepare() {
    #if os(Linux) && canImport(Runtime)
      guard images.withLock({ $0 == nil }) else { return }
      // The images are captured outside the lock, because a dispatch might wait for the lock. If
      // two pages open at the same time, both capture the same images.
      let found = ImageMap.capture()
      images.withLock { $0 = $0 ?? found }
    #endif
  }

  /// Records the origin of a dispatch.
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
    /// The addresses of the program's code.
    private let images = Locked<ImageMap?>(nil)
    /// The texts of earlier traces, by their addresses.
    private let known = Locked<[String: String?]>([:])

    private func trace() -> Backtrace? {
      // Without these images, `Backtrace` would search for the images itself.
      guard let images = images.withLock({ $0 }) else { return nil }
      // A stack that cannot be read is not an error: the name of the thread is used instead.
      return try? Backtrace.capture(algorithm: .fast, limit: 48, offset: 0, top: 0, images: images)
    }
  #endif

  /// Returns the origin as a text; returns `nil` if the origin is unknown.
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
    /// The first function outside Flux that called the innermost dispatch.
    fileprivate var dispatcher: String? {
      let callers = frames.compactMap { $0.symbol.map(Caller.init) }
      let dispatch = callers.firstIndex { $0.isOfFlux && $0.isDispatch } ?? 0
      return callers[dispatch...].first { $0.isOfProgram }?.text
    }
  }

  /// A function on the stack.
  private struct Caller {
    let symbol: SymbolicatedBacktrace.Symbol

    /// The module at the beginning of a mangled name: `$s`, and the name of the module after
    /// its length.
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

    /// A Boolean value that indicates whether the function is the entry point of a dispatch.
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
