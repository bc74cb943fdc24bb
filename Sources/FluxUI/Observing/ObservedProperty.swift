import Observation

/// One property of the state of an ``ObservableStore``, from the first read until the next
/// change.
@MainActor
final class ObservedProperty<State> {
  private let registrar = ObservationRegistrar()
  /// The closure that returns whether the property differs between two states.
  let hasChanged: (_ old: State, _ new: State) -> Bool

  init(_ hasChanged: @escaping (_ old: State, _ new: State) -> Bool) {
    self.hasChanged = hasChanged
  }

  func access() {
    registrar.access(self, keyPath: \.hasChanged)
  }

  func willChange() {
    registrar.willSet(self, keyPath: \.hasChanged)
  }

  func didChange() {
    registrar.didSet(self, keyPath: \.hasChanged)
  }
}

extension ObservedProperty: Observable {}
