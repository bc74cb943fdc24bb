package import Dispatch
import Foundation

/// Does something in place of what a signal does by itself, for as long as what is returned is kept.
///
/// - Parameters:
///   - numbers: Which signals: `SIGINT` is what Ctrl-C sends.
///   - handle: Does it, with the signal's number, on a thread of its own.
package func onSignals(
  _ numbers: Int32..., handle: @escaping @Sendable (_ number: Int32) -> Void
) -> [any DispatchSourceSignal] {
  numbers.map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { handle(number) }
    source.resume()
    return source
  }
}
