package import Dispatch
import Foundation

/// Calls a closure for each signal instead of the default action, while the returned sources
/// exist.
///
/// When the function returns, the handlers are active, and no later signal is lost. A signal that
/// arrives before the function returns might cause its default action.
///
/// - Parameters:
///   - numbers: The signals. Ctrl-C sends `SIGINT`.
///   - handle: Called with the signal's number, on a separate thread.
package func onSignals(
  _ numbers: Int32..., handle: @escaping @Sendable (_ number: Int32) -> Void
) -> [any DispatchSourceSignal] {
  let waiting = DispatchGroup()
  defer { waiting.wait() }
  return numbers.map { number in
    #if canImport(Darwin)
      // On Darwin, a dispatch source only observes the signal; on other systems, it replaces the
      // default action.
      signal(number, SIG_IGN)
    #endif
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { handle(number) }
    waiting.enter()
    source.setRegistrationHandler { waiting.leave() }
    source.resume()
    return source
  }
}
