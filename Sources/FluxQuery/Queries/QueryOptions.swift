/// Options of one subscriber of a query.
public struct QueryOptions: Hashable, Sendable {
  /// The condition under which the query is fetched when the subscriber subscribes.
  ///
  /// The default is ``QueryCondition/ifNeeded``.
  public var condition: QueryCondition
  /// The time from the end of one request to the start of the next, or `nil` if the subscriber
  /// does not poll.
  ///
  /// If several subscribers of an entry poll, the shortest interval applies. An interval of zero
  /// or less counts as `nil`. The default is `nil`.
  public var pollingInterval: Duration?
  /// A Boolean value that indicates whether the subscriber does not poll while the app is in the
  /// background.
  ///
  /// The app reports its activity with ``AppActivity``. The default is `false`.
  public var pausesPollingInBackground: Bool
  /// A Boolean value that indicates whether the query is fetched again when the app returns to the
  /// foreground.
  ///
  /// The default is `false`.
  public var refetchesOnFocus: Bool
  /// A Boolean value that indicates whether the query is fetched again when the network returns.
  ///
  /// The default is `false`.
  public var refetchesOnReconnect: Bool

  /// Creates options.
  public init(
    condition: QueryCondition = .ifNeeded, pollingInterval: Duration? = nil,
    pausesPollingInBackground: Bool = false, refetchesOnFocus: Bool = false,
    refetchesOnReconnect: Bool = false
  ) {
    self.condition = condition
    self.pollingInterval = pollingInterval
    self.pausesPollingInBackground = pausesPollingInBackground
    self.refetchesOnFocus = refetchesOnFocus
    self.refetchesOnReconnect = refetchesOnReconnect
  }
}
