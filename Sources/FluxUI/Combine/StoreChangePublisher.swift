#if canImport(Combine)
  public import Combine
  public import FluxCore

  extension Store: ObservableObject {
    /// A publisher that publishes a value each time a newer state is delivered on the main
    /// actor.
    ///
    /// If a view declares `@EnvironmentObject var store: Store<AppState>`, SwiftUI subscribes
    /// to the publisher. SwiftUI runs the body of the view again for each value that the
    /// publisher publishes. The publisher does not observe the store until a subscriber
    /// requests a value.
    public var objectWillChange: StoreChangePublisher {
      StoreChangePublisher { [observeLaterOnMain] receive in observeLaterOnMain { _ in receive() } }
    }
  }

  /// A publisher that publishes the changes of a store on the main actor.
  ///
  /// The publisher publishes one value for each state that is delivered on the main actor, in
  /// the same way that ``/FluxCore/StateSource/subscribe(initial:onMain:)`` calls its closure.
  /// Several consecutive actions can result in one published value. When the publisher
  /// publishes a value, the store already contains the new state.
  ///
  /// The publisher never completes. Neither the publisher nor a subscription keeps the store
  /// alive. You can subscribe and cancel on any thread.
  public struct StoreChangePublisher: Publisher, Sendable {
    /// The type of the published values, which contain no information.
    ///
    /// Subscribers read the state from the store.
    public typealias Output = Void
    /// The failure type of the publisher, which never fails.
    public typealias Failure = Never

    typealias Observe = @Sendable (_ receive: @escaping @MainActor @Sendable () -> Void) -> SubscriptionToken

    private let observe: Observe

    init(_ observe: @escaping Observe) {
      self.observe = observe
    }

    /// Attaches a subscriber, which receives changes on the main actor.
    public func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Void, Target.Failure == Never {
      // Any thread can call a subscriber if the calls do not overlap. All calls through
      // `target` are made on the main actor.
      nonisolated(unsafe) let target = subscriber
      subscriber.receive(
        subscription: StoreChangeSubscription(to: observe) { ChangeDemand(target.receive()) })
    }
  }

  extension ChangeDemand {
    fileprivate init(_ demand: Subscribers.Demand) {
      self.init(demand.max)
    }
  }

  /// A subscriber's subscription to the changes of a store.
  private final class StoreChangeSubscription: Subscription, Sendable {
    private struct Contents {
      /// The closure that sends a change to the subscriber, and returns the subscriber's
      /// additional demand.
      ///
      /// The closure is `nil` after the subscription is canceled.
      var send: (@MainActor @Sendable () -> ChangeDemand)?
      var demand = ChangeDemand(0)
      /// The subscription to the store, which begins when the subscriber first requests
      /// changes.
      var token: SubscriptionToken?
      var isObserving = false
    }

    private let observe: StoreChangePublisher.Observe
    private let contents: Locked<Contents>

    init(
      to observe: @escaping StoreChangePublisher.Observe,
      send: @escaping @MainActor @Sendable () -> ChangeDemand
    ) {
      self.observe = observe
      contents = Locked(Contents(send: send))
    }

    func request(_ demand: Subscribers.Demand) {
      let begins = contents.withLock { contents in
        guard contents.send != nil else { return false }
        contents.demand.add(ChangeDemand(demand))
        defer { contents.isObserving = contents.isObserving || !contents.demand.isEmpty }
        return !contents.isObserving && !contents.demand.isEmpty
      }
      guard begins else { return }
      let token = observe { self.receive() }
      let isCanceled = contents.withLock { contents in
        if contents.send != nil { contents.token = token }
        return contents.send == nil
      }
      if isCanceled { token.cancel() }
    }

    @MainActor
    private func receive() {
      guard let send = contents.withLock({ $0.demand.takeOne() ? $0.send : nil }) else { return }
      let more = send()
      contents.withLock { $0.demand.add(more) }
    }

    func cancel() {
      // The old values are released outside the lock, because releasing them can run other
      // code.
      let old = contents.withLock { contents in (contents.send.take(), contents.token.take()) }
      old.1?.cancel()
    }
  }
#endif
