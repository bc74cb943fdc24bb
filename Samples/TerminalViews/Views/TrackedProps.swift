import Flux
import Observation
import Synchronization

/// The props of a connection, and whether they have changed since they were read.
@MainActor
final class TrackedProps<Props> {
  private final class Flag: Sendable {
    let value = Atomic(true)
  }

  private let connection: Connection<Props>
  private let isStale = Flag()
  private let wake: @Sendable () -> Void

  /// Begins with props that nobody has read.
  ///
  /// - Parameter wake: Called when props that were read have changed, or are about to: once until they are read again.
  init(_ connection: Connection<Props>, wake: @escaping @Sendable () -> Void) {
    self.connection = connection
    self.wake = wake
  }

  /// Whether there is something new to read.
  var haveChanged: Bool { isStale.value.load(ordering: .acquiring) }

  /// The props as they are, without counting as read.
  var current: Props? { connection.props }

  /// Reads the props.
  func read() -> Props? {
    isStale.value.store(false, ordering: .releasing)
    return withObservationTracking {
      connection.props
    } onChange: { [isStale, wake] in
      if !isStale.value.exchange(true, ordering: .acquiringAndReleasing) { wake() }
    }
  }
}
