public import FluxCore

extension Plugin {
  /// Returns a plug-in with new listeners.
  ///
  /// ```swift
  /// let store = Store(
  ///   reducer: appReducer,
  ///   plugins: [
  ///     .listeners { listeners in
  ///       listeners.start(of: Search.self, taking: .latest) { search, listener in
  ///         let films = try await listener.pause { try await api.search(search.text) }
  ///         listener.dispatch(Found(films))
  ///       }
  ///     }
  ///   ], state: AppState())
  /// ```
  ///
  /// Each call creates a ``Listeners`` object, so the plug-in suits a feature that can be attached
  /// several times. To start and stop listeners later, create the object yourself, or dispatch a
  /// ``ListenerAction``. Use the plug-in in only one store.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures delays and timeouts.
  ///   - onError: A closure that receives errors, as in ``Listeners/init(clock:onError:)``.
  ///   - start: A closure that starts the listeners. The closure is called before this method
  ///     returns.
  public static func listeners(
    clock: any Clock<Duration> = ContinuousClock(),
    onError: (@Sendable (_ failure: ListenerFailure) -> Void)? = nil,
    start: (_ listeners: Listeners<State>) -> Void
  ) -> Plugin {
    let listeners = Listeners<State>(clock: clock, onError: onError)
    start(listeners)
    return listeners.plugin
  }
}
