package import Dispatch
import Foundation

/// Does something in place of what a signal does by itself, for as long as what is returned is kept.
///
/// It returns once the signals are heeded: one that comes then is not lost, and one that came before did what it does by
/// itself.
///
/// - Parameters:
///   - numbers: Which signals: `SIGINT` is what Ctrl-C sends.
///   - handle: Does it, with the signal's number, on a thread of its own.
package func onSignals(
  _ numbers: Int32..., handle: @escaping @Sendable (_ number: Int32) -> Void
) -> [any DispatchSourceSignal] {
  let waiting = DispatchGroup()
  defer { waiting.wait() }
  return numbers.map { number in
    #if canImport(Darwin)
      // There a source only listens in; elsewhere it takes the place of what the signal does.
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
