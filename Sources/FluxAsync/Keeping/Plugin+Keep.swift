public import FluxCore

extension Plugin {
  /// Returns a plug-in that keeps work running while the state has a key.
  ///
  /// ```swift
  /// let store = Store(reducer: appReducer, plugins: [
  ///   .keep(while: { $0.room }) { room, store in
  ///     for await message in socket(room).messages { store.dispatch(Received(message)) }
  ///   }], state: AppState())
  /// ```
  ///
  /// The plug-in starts the work when the key appears, cancels the work when the key is `nil`, and
  /// cancels and restarts the work when the key changes. If the initial state has a key, the work
  /// starts when the store is created. Use the plug-in for sockets, polling, locations, and timers.
  ///
  /// **Order.** The plug-in receives the state of every commit once, in commit order, regardless of
  /// the number of threads that dispatch. The action can be any action, such as a jump of a
  /// history. If one commit removes a key and the next commit adds the same key, the work is
  /// restarted, even if both commits are delivered later. The work is canceled or started before
  /// state observers receive the version. The work runs in a separate task, so a dispatch does not
  /// wait for it.
  ///
  /// **Restarting.** The old work is canceled before the new work starts. The store drops actions
  /// that canceled work dispatches. If the canceled work is dispatching an action when the key
  /// changes, the new work begins after that dispatch has returned. No action of the old work is
  /// therefore reduced after the first action of the new work. If the key changes again while work
  /// waits to begin, the waiting work never begins. Work that returns or throws an error is not
  /// restarted until the key changes.
  ///
  /// **Errors.** If the work throws an error, the store reports the error as an error of a
  /// ``KeptWork`` action, either to the error handler of
  /// ``asyncWork(clock:policies:chance:onError:)`` or as a ``WorkFailed`` action. Errors of
  /// canceled work are not reported.
  ///
  /// **Lifetime.** The work belongs to the store, and not to the dispatch that changed the key. The
  /// actions that the work dispatches can start other work, which belongs to the kept work and is
  /// canceled together with it. When the store is released, the work is canceled. The work does not
  /// keep the store alive. A store can have several such plug-ins, which are independent and
  /// receive each commit in the order of the plug-ins. Use each value that this method returns with
  /// only one store. Adding the value to a second store stops the program with a message.
  ///
  /// **Cost.** The store calls `key` once for each action. If the key is unchanged, the cost is one
  /// call, one comparison, and one lock, without an allocation. The plug-in also observes
  /// transitions with their states. For the cost, see
  /// ``/FluxCore/TransitionObserver/states(_:)``.
  ///
  /// The plug-in can be lifted to a part of the state. The work then receives a proxy for the part.
  /// The idea comes from the subscriptions of Elm and from the supervised effects of SwiftRex.
  ///
  /// - Parameters:
  ///   - key: A fast closure that returns the key of a state, or `nil` if no work is needed. The
  ///     closure is called on the delivering thread, outside any lock. For a condition, use
  ///     ``keep(while:priority:work:)-(_,_,(StoreProxy<State>)->Void)``, because `false` is also a
  ///     key.
  ///   - priority: The priority of the work. The default is the priority of the code that starts
  ///     the work.
  ///   - work: A closure that runs in a task and receives the key and a proxy of the store.
  public static func keep<Key: Equatable & Sendable>(
    while key: @escaping @Sendable (_ state: State) -> Key?, priority: TaskPriority? = nil,
    work: @escaping @Sendable (_ key: Key, _ store: StoreProxy<State>) async throws -> Void
  ) -> Plugin {
    WorkKeeper({ state in SingleKey(key: key(state)) }, priority: priority, body: work).plugin
  }

  /// Returns a plug-in that keeps work running while a condition on the state is true.
  ///
  /// ```swift
  /// .keep(while: { $0.isVisible }) { store in
  ///   while true {
  ///     store.dispatch(Refresh())
  ///     try await clock.sleep(for: .seconds(60))
  ///   }
  /// }
  /// ```
  ///
  /// The plug-in behaves like
  /// ``keep(while:priority:work:)-(_,_,(Key,StoreProxy<State>)->Void)`` with the key `true`.
  ///
  /// - Parameters:
  ///   - condition: A fast closure that returns whether the work is needed in a state.
  ///   - priority: The priority of the work. The default is the priority of the code that starts
  ///     the work.
  ///   - work: A closure that runs in a task and receives a proxy of the store.
  public static func keep(
    while condition: @escaping @Sendable (_ state: State) -> Bool, priority: TaskPriority? = nil,
    work: @escaping @Sendable (_ store: StoreProxy<State>) async throws -> Void
  ) -> Plugin {
    keep(while: { condition($0) ? true : nil }, priority: priority) { (_: Bool, store) in
      try await work(store)
    }
  }

  /// Returns a plug-in that keeps one piece of work running for each key in a collection.
  ///
  /// ```swift
  /// .keep(whileEach: { $0.openRooms }) { room, store in
  ///   for await message in socket(room).messages { store.dispatch(Received(message)) }
  /// }
  /// ```
  ///
  /// The plug-in starts work for each key that enters the collection, and cancels the work of each
  /// key that leaves the collection. For each key, the plug-in behaves like
  /// ``keep(while:priority:work:)-(_,_,(Key,StoreProxy<State>)->Void)``. The work of different
  /// keys is independent. When one commit changes several keys, the plug-in first cancels the work
  /// of the keys that have left, in the old order, and then starts the work of the new keys, in the
  /// new order. The order of the keys and duplicate keys have no other effect.
  ///
  /// If the collection is unchanged, the cost is one comparison of the collections. Otherwise, the
  /// cost is O(n) for n keys.
  ///
  /// - Parameters:
  ///   - keys: A fast closure that returns the keys of a state.
  ///   - priority: The priority of the work. The default is the priority of the code that starts
  ///     the work.
  ///   - work: A closure that runs in a task and receives the key and a proxy of the store.
  public static func keep<Keys: Collection & Equatable & Sendable>(
    whileEach keys: @escaping @Sendable (_ state: State) -> Keys, priority: TaskPriority? = nil,
    work: @escaping @Sendable (_ key: Keys.Element, _ store: StoreProxy<State>) async throws -> Void
  ) -> Plugin where Keys.Element: Hashable & Sendable {
    WorkKeeper({ state in EachKey(keys: keys(state)) }, priority: priority, body: work).plugin
  }
}
