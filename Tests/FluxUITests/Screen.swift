import Observation
import TestSupport

/// Draws a body like a view layer: again only when a value that the body has read has changed.
@MainActor
final class Screen<Drawn> {
  private let body: () -> Drawn
  private let isInvalid = Shared(true)
  /// The drawn values, in order.
  private(set) var drawn: [Drawn] = []

  /// Draws for the first time.
  init(_ body: @escaping () -> Drawn) {
    self.body = body
    draw()
  }

  /// Whether a value that was read has changed since the last drawing.
  var needsToDraw: Bool { isInvalid.value }

  /// Draws if a value has changed.
  func draw() {
    guard isInvalid.exchange(false) else { return }
    drawn.append(withObservationTracking(body, onChange: { [isInvalid] in isInvalid.value = true }))
  }
}
