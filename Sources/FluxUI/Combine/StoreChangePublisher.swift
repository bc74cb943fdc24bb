#if canImport(Combine)
  public import Combine
  public import FluxCore

  extension Store: ObservableObject {
    /// A publisher that publishes on the main actor each time that a newer state is delivered
    /// there.
    ///
    /// SwiftUI subscribes to it for a view with `@EnvironmentObject var store: Store<AppState>`,
    /// and runs the body of the view again. The store observes nothing for it until a subscriber
    /// requests a value.
    public var objectWillChange: StoreChangePublisher {
      StoreChangePublisher { [observeLaterOnMain] receive in observeLaterOnMain { _ in receive() } }
    }
  }

  /// A publisher of the changes of a store, on the main actor.
  ///
  /// It publishes once for each state that is delivered on the main actor, as
  /// ``/FluxCore/StateSource/subscribe(initial:onMain:)`` does: several actions in a row may be
  /// one change. At that time the store has the new state already. The publisher never completes,
  /// and neither it nor a subscription keeps the store alive. Any thread may subscribe and cancel.
  public struct StoreChangePublisher: Publisher, Sendable {
    /// The publisher has no value to publish: read the state of the store.
    public typealias Output = Void
    /// The publisher never fails.
    public typealias Failure = Never

    typealias Observe = @Sendable (_ receive: @escaping @MainActor @Sendable () -> Void) -> SubscriptionToken

    private let observe: Observe

    init(_ observe: @escaping Observe) {
      self.observe = observe
    }

    /// Attaches a subscriber, which receives changes on the main actor.
    public func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Void, Target.Failure == Never {
      // A subscriber may be used on any thread, as long as its calls do not overlap. These are on
      // the main actor.
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

  /// A subscription of one subscriber to the changes of a store.
  private final class StoreChangeSubscription: Subscription, Sendable {
    private struct Contents {
      /// Passes a change on, and returns how many more the subscriber requests; `nil` after the
      /// cancellation.
      var send: (@MainActor @Sendable () -> ChangeDemand)?
      var demand = ChangeDemand(0)
      /// The subscription to the store, which begins with the first request.
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
      // Released outside the lock.
      let old = contents.withLock { contents in (contents.send.take(), contents.token.take()) }
      old.1?.cancel()
    }
  }
#endif
