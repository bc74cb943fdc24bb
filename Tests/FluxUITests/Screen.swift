import Observation
import TestSupport

/// Draws a body as a view layer does: again only when something that the body has read has changed.
@MainActor
final class Screen<Drawn> {
  private let body: () -> Drawn
  private let isInvalid = Shared(true)
  /// What was drawn, in order.
  private(set) var drawn: [Drawn] = []

  /// Draws for the first time.
  init(_ body: @escaping () -> Drawn) {
    self.body = body
    draw()
  }

  /// Whether something that was read has changed since it was drawn.
  var needsToDraw: Bool { isInvalid.value }

  /// Draws, if something has changed.
  func draw() {
    guard isInvalid.exchange(false) else { return }
    drawn.append(withObservationTracking(body, onChange: { [isInvalid] in isInvalid.value = true }))
  }
}
