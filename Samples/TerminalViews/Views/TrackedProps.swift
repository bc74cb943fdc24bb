import Flux
import Observation
import Synchronization

/// The props of a connection, with a record of whether they have changed since the last read.
@MainActor
final class TrackedProps<Props> {
  private final class Flag: Sendable {
    let value = Atomic(true)
  }

  private let connection: Connection<Props>
  private let isStale = Flag()
  private let wake: @Sendable () -> Void

  /// Creates an object for props that have not been read.
  ///
  /// - Parameter wake: Called at most once after each read, when the props have changed or are
  ///   about to change.
  init(_ connection: Connection<Props>, wake: @escaping @Sendable () -> Void) {
    self.connection = connection
    self.wake = wake
  }

  /// A Boolean value that indicates whether the props have changed since the last read.
  var haveChanged: Bool { isStale.value.load(ordering: .acquiring) }

  /// Maps the newest state, even if the connection has not received that state yet, and returns
  /// the props.
  ///
  /// This method does not mark the props as read.
  func refresh() -> Props? {
    connection.refresh()
    return connection.props
  }

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
