public import FluxQuery

#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A property of a view that shows a query, and fetches the query while the view exists.
///
/// ```swift
/// struct FilmView: View {
///   @ObservedQuery private var film: QueryState<Film>
///
///   init(id: Int) {
///     _film = ObservedQuery(FilmByID(id: id))
///   }
///
///   var body: some View {
///     Text(film.data?.title ?? "…")
///     Button("Reload") { $film.refetch() }
///   }
/// }
/// ```
///
/// The property uses the innermost provided store that has a cache of queries. The view counts as
/// one subscriber of the query from its first appearance until it is removed. If a parent view
/// creates the view with another query, the view subscribes to the new query before it
/// unsubscribes from the old query. Until the new query has a result,
/// ``/FluxQuery/QueryState/data`` is the result of the old query, and
/// ``/FluxQuery/QueryState/currentData`` is `nil`. An equal query changes nothing. If the query
/// is `nil`, the view keeps the last data and subscribes to nothing.
///
/// **Updates.** The body of the view runs again only if the state that it shows has changed. The
/// first body already shows a result that the cache contains. If the query is about to be fetched,
/// the first body shows a running request. If the view shows only a part of the state, pass a
/// closure that returns the part. The body then runs again only if the part has changed:
///
/// ```swift
/// _film = ObservedQuery(FilmByID(id: id), comparing: { $0.data?.title })
/// ```
///
/// **Dispatching.** No action is dispatched while views are updated. The subscription begins on
/// the main actor after the update, and ends on the main actor after the view was removed. The
/// actions of requests do not pass through the closures of ``ProvidedStores/onAction(perform:)``.
///
/// After the store is released, the property keeps its last value. The idea comes from the hooks
/// of RTK Query and TanStack Query.
@MainActor @propertyWrapper
public struct ObservedQuery<Value: Sendable> {
  private let key: QueryKey?
  private let options: QueryOptions
  private let showsSamePart: ViewQuery.PartComparison?
  private let place: PlaceInViews
  /// The subscriber of a property that was created with stores.
  private let given: ViewQuery?
  #if canImport(SwiftUI)
    @SwiftUI.State private var ofView = ViewQuery()
  #else
    private let ofView = ViewQuery()
  #endif

  private init(
    _ key: QueryKey?, _ options: QueryOptions, _ showsSamePart: ViewQuery.PartComparison? = nil,
    in stores: ProvidedStores?
  ) {
    self.key = key
    self.options = options
    self.showsSamePart = showsSamePart
    place = PlaceInViews(stores)
    given = stores.map { stores in
      let query = ViewQuery()
      query.prepare(key, options, showsSamePart, in: stores)
      return query
    }
  }

  /// Creates a property for a query, which is fetched in a provided store.
  ///
  /// The property subscribes to the query on the main actor, after this initializer has returned.
  ///
  /// - Parameters:
  ///   - query: The query, or `nil` to fetch nothing.
  ///   - options: The options of the subscriber.
  ///   - stores: The stores that are provided to the view.
  public init<Observed: Query<Value>>(
    _ query: Observed?, _ options: QueryOptions = QueryOptions(), in stores: ProvidedStores
  ) {
    self.init(query.map { QueryKey($0) }, options, in: stores)
  }

  /// Creates a property for a query of which a reader shows a part.
  ///
  /// An observer of the property is notified only if the part has changed.
  ///
  /// - Parameters:
  ///   - query: The query, or `nil` to fetch nothing.
  ///   - part: A closure that returns the part.
  ///   - options: The options of the subscriber.
  ///   - stores: The stores that are provided to the view.
  public init<Observed: Query<Value>, Part: Equatable>(
    _ query: Observed?, comparing part: @escaping @MainActor (QueryState<Value>) -> Part,
    _ options: QueryOptions = QueryOptions(), in stores: ProvidedStores
  ) {
    self.init(query.map { QueryKey($0) }, options, Self.comparison(of: part), in: stores)
  }

  private static func comparison<Part: Equatable>(
    of part: @escaping @MainActor (QueryState<Value>) -> Part
  ) -> ViewQuery.PartComparison {
    { old, new in part(QueryState(old)) == part(QueryState(new)) }
  }

  #if canImport(SwiftUI)
    /// Creates a property of a view, for a query that is fetched in the innermost store that is
    /// provided to the view and has a cache of queries.
    ///
    /// If the view is created again with other options, they replace the previous options. If only
    /// the options have changed, the query is not fetched unless the condition has changed and is
    /// met.
    ///
    /// - Parameters:
    ///   - query: The query, or `nil` to fetch nothing.
    ///   - options: The options of the view as a subscriber of the query.
    public init<Observed: Query<Value>>(_ query: Observed?, _ options: QueryOptions = QueryOptions()) {
      self.init(query.map { QueryKey($0) }, options, in: nil)
    }

    /// Creates a property of a view that shows a part of the state of a query.
    ///
    /// The body of the view runs again only if the part has changed. The closure must therefore
    /// return everything that the view shows, for example as a value of an `Equatable` type.
    ///
    /// - Parameters:
    ///   - query: The query, or `nil` to fetch nothing.
    ///   - part: A closure that returns the part.
    ///   - options: The options of the view as a subscriber of the query.
    public init<Observed: Query<Value>, Part: Equatable>(
      _ query: Observed?, comparing part: @escaping @MainActor (QueryState<Value>) -> Part,
      _ options: QueryOptions = QueryOptions()
    ) {
      self.init(query.map { QueryKey($0) }, options, Self.comparison(of: part), in: nil)
    }
  #endif

  /// The result of the query and the state of its request.
  ///
  /// Reading this property stops the program if no provided store has a cache of queries.
  public var wrappedValue: QueryState<Value> {
    QueryState(subscriber.shown)
  }

  /// A value that fetches the query, or its pages, again.
  public var projectedValue: Fetcher {
    Fetcher(subscriber: subscriber)
  }

  private var query: ViewQuery { given ?? ofView }

  private var subscriber: MainQuerySubscriber {
    query.subscriber(of: key, options, showsSamePart, in: place.stores)
  }
}

#if canImport(SwiftUI)
  extension ObservedQuery: DynamicProperty {
    /// Applies the query and the options of a view that was created again.
    ///
    /// SwiftUI calls this method on the main actor, before it runs the body of the view.
    nonisolated public func update() {
      MainActor.assumeIsolated { query.prepare(key, options, showsSamePart, in: place.stores) }
    }
  }
#endif
