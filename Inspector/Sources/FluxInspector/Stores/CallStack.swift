#if os(Linux) && canImport(Runtime)
  import Runtime
#endif

/// The call stack of a dispatch, as addresses.
///
/// Call stacks are recorded only on Linux.
package struct CallStack: Sendable {
  /// The addresses of the program's code.
  struct Images: Sendable {
    #if os(Linux) && canImport(Runtime)
      fileprivate let map: ImageMap
    #endif

    /// Finds the addresses of the program's code; returns `nil` where there are no call stacks.
    static func capture() -> Images? {
      #if os(Linux) && canImport(Runtime)
        Images(map: ImageMap.capture())
      #else
        nil
      #endif
    }
  }

  #if os(Linux) && canImport(Runtime)
    private let trace: Backtrace
  #endif

  /// Records the call stack of the current thread; returns `nil` if it cannot be read.
  static func capture(with images: Images) -> CallStack? {
    #if os(Linux) && canImport(Runtime)
      // A stack that cannot be read is not an error: the name of the thread is used instead.
      let trace = try? Backtrace.capture(
        algorithm: .fast, limit: 48, offset: 0, top: 0, images: images.map)
      return trace.map(CallStack.init)
    #else
      nil
    #endif
  }

  /// A string that is the same for stacks with the same addresses.
  var key: String {
    #if os(Linux) && canImport(Runtime)
      trace.frames.map { "\($0)" }.joined(separator: " ")
    #else
      ""
    #endif
  }

  /// Finds the first function outside Flux that called the innermost dispatch, with its file and
  /// line; returns `nil` if there is none.
  ///
  /// The call reads the program's debug information, which takes a quarter of a second or more.
  var dispatcher: String? {
    #if os(Linux) && canImport(Runtime)
      trace.symbolicated(with: trace.images)?.dispatcher
    #else
      nil
    #endif
  }
}

/// Finds the functions that dispatched.
package protocol CallStackResolver: Sendable {
  /// Returns the function that dispatched, with its file and line; returns `nil` if it is unknown.
  ///
  /// The call can take seconds.
  func text(of stack: CallStack) -> String?
}

/// Finds the functions that dispatched in the program's debug information.
struct DebugInformation: CallStackResolver {
  func text(of stack: CallStack) -> String? { stack.dispatcher }
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
