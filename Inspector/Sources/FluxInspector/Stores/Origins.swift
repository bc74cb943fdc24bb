import FluxCore
import Foundation
import Synchronization

/// The origin of a dispatch, recorded on the thread that dispatches.
enum Origin: Sendable {
  case text(String)
  case stack(CallStack)
}

/// The text of an origin, as far as it is known.
enum OriginText: Sendable {
  /// The text; `nil` if the origin has none.
  case known(String?)
  /// The text is to be found in a call stack, which takes long.
  case unresolved(CallStack)
}

/// Finds the origin of each dispatch: it records quickly, and creates the text only when a page
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

  /// The maximum number of descriptions that are kept.
  private static let mostKnown = 1_000

  private let resolver: any CallStackResolver
  /// The addresses of the program's code.
  private let images = Locked<CallStack.Images?>(nil)
  /// The descriptions of earlier call stacks, by their keys.
  private let known = Locked<[String: String?]>([:])

  init(resolver: any CallStackResolver) {
    self.resolver = resolver
  }

  /// Runs a dispatch for a page.
  static func asPage(_ dispatch: () -> Void) {
    let turn = PageTurn()
    $pageTurn.withValue(turn, operation: dispatch)
    turn.isOver.store(true, ordering: .relaxed)
  }

  /// Finds the addresses of the program's code, unless they are known.
  ///
  /// Call this method before the first record. It takes about a millisecond.
  func prepare() {
    guard images.withLock({ $0 == nil }) else { return }
    // Outside the lock, for which a dispatch might wait. If two pages open at the same time,
    // both find the same result.
    let found = CallStack.Images.capture()
    images.withLock { $0 = $0 ?? found }
  }

  /// Records the origin of a dispatch.
  func note() -> (any Sendable)? {
    if let turn = Self.pageTurn, !turn.isOver.load(ordering: .relaxed) {
      return Origin.text("the inspector's page")
    }
    // Without the images, the system would search for them itself.
    if let images = images.withLock({ $0 }), let stack = CallStack.capture(with: images) {
      return Origin.stack(stack)
    }
    return Self.threadName.map(Origin.text)
  }

  private static var threadName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), let name = Task.name {
      return "task \(name)"
    }
    if Thread.isMainThread { return "main thread" }
    return Thread.current.name.flatMap { $0.isEmpty ? nil : "thread \($0)" }
  }

  /// Returns the text of an origin, without the search for an unknown one.
  func lookUp(_ origin: any Sendable) -> OriginText {
    switch origin as? Origin {
    case .text(let text): .known(text)
    case .stack(let stack):
      known.withLock { [key = stack.key] in $0[key] }.map(OriginText.known) ?? .unresolved(stack)
    case nil: .known(nil)
    }
  }

  /// Finds the text of a call stack; returns `nil` if the origin is unknown.
  func resolve(_ stack: CallStack) -> String? {
    let key = stack.key
    if let text = known.withLock({ $0[key] }) { return text }
    let text = resolver.text(of: stack)
    known.withLock { known in
      if known.count >= Self.mostKnown { known = [:] }
      known[key] = text
    }
    return text
  }
}
