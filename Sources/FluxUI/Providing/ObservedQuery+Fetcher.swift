public import FluxQuery

extension ObservedQuery {
  /// A value that fetches the query that a view shows, such as `$film` for a property `film`.
  ///
  /// If the query is `nil`, or the view was removed, the methods have no effect.
  @MainActor
  public struct Fetcher {
    let subscriber: MainQuerySubscriber

    /// Fetches the query again, unless a request of the query is running.
    public func refetch() {
      subscriber.refetch()
    }

    /// Fetches the query again, and waits until no request of the query is running.
    ///
    /// If a request of the query is already running, the method waits for that request. If the
    /// task is canceled, the method stops waiting.
    ///
    /// ```swift
    /// List { … }.refreshable { await $films.refresh() }
    /// ```
    public func refresh() async {
      await subscriber.refresh()
    }

    /// Fetches the page after the last page, unless the last page is the end or a request of the
    /// query is running.
    public func fetchNextPage<Page, Parameter>() where Value == QueryPages<Page, Parameter> {
      subscriber.fetchPage(.next)
    }

    /// Fetches the page before the first page, unless the first page is the beginning or a
    /// request of the query is running.
    public func fetchPreviousPage<Page, Parameter>() where Value == QueryPages<Page, Parameter> {
      subscriber.fetchPage(.previous)
    }
  }
}

extension ObservedQuery.Fetcher: Equatable {
  /// Returns a Boolean value that indicates whether two values fetch the query of the same view.
  nonisolated public static func == (left: Self, right: Self) -> Bool {
    left.subscriber === right.subscriber
  }
}
