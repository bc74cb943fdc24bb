import FluxAsync
import FluxCollections
import FluxCore
import FluxQuery
import Synchronization

private struct Film: Equatable, Identifiable, Sendable {
  var id: Int
  var title: String
  var year = 1967
}

/// A lifetime that does not end during a measurement, which can take minutes.
private let longLifetime = Duration.seconds(1_000_000)

private struct FilmByID: EntityQuery {
  let id: Int

  var lifetimeWithoutSubscribers: Duration? { longLifetime }

  func fetch(in context: RequestContext<Films>) async throws -> Film { film(id) }

  func tags(for result: Result<Film, QueryFailure>) -> Set<QueryTag> { [.type("Film", id: id)] }
}

/// A film whose result provides a tag that the results of all films provide.
private struct FilmWithSharedTag: Query {
  let id: Int

  var lifetimeWithoutSubscribers: Duration? { longLifetime }

  func fetch(in context: RequestContext<Films>) async throws -> Film { film(id) }

  func tags(for result: Result<Film, QueryFailure>) -> Set<QueryTag> { [.list("Film")] }
}

/// A list of films, each of which is an entity.
private struct ListedFilms: Query {
  let count: Int

  var lifetimeWithoutSubscribers: Duration? { longLifetime }

  var entities: [EntityPath<OrderedState<Film>>] { [.each(FilmByID.self, in: \.self)] }

  func fetch(in context: RequestContext<Films>) async throws -> OrderedState<Film> { films(count) }
}

private struct Films: FluxState {
  var queries = QueryCache()
  var films: [Int: Film] = [:]
  var value = 0
}

private func film(_ id: Int) -> Film { Film(id: id, title: "Playtime") }

private func films(_ count: Int, in year: Int = 1967) -> OrderedState<Film> {
  OrderedState((0..<count).map { Film(id: $0, title: "Playtime", year: year) })
}

private let queries = QuerySlice(at: \Films.queries)

private let counting: MutatingReducer<Films> = { films, _ in films.value &+= 1 }

/// A store whose cache has the given number of films.
private func filledStore(_ count: Int) -> Store<Films> {
  let store = Store(reducer: counting, plugins: [queries.plugin], state: Films())
  for id in 0..<count { store.write(film(id), to: FilmByID(id: id)) }
  return store
}

let queryWorkloads: [Workload] = [
  Workload("floor-query-hit", "a read of one of 10,000 entries of a dictionary through the store") {
    let films = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ($0, film($0)) })
    let store = Store(reducer: counting, state: Films(films: films))
    return { times in
      for time in 0..<times { precondition(store.withState { $0.films[time % 10_000]?.year } == 1967) }
    }
  },
  Workload("query-hit", "a read of one of 10,000 queries", floor: "floor-query-hit") {
    let store = filledStore(10_000)
    return { times in
      for time in 0..<times {
        let year = store.withState { $0.queries[FilmByID(id: time % 10_000)].data?.year }
        precondition(year == 1967)
      }
    }
  },
  floorOfQueryFetch,
  Workload(
    "query-fetch", "an awaited request of a query, with an observer of the query", floor: "floor-query-fetch",
    turns: 2_000
  ) {
    let store = filledStore(0)
    let heard = Atomic<Int>(0)
    let observer = store.observe(FilmByID(id: 7)) { _ in heard.add(1, ordering: .relaxed) }
    return waiting { times in
      for _ in 0..<times { _ = await store.request(FetchQuery(FilmByID(id: 7), .always)).result }
      withExtendedLifetime(observer) {}
    }
  },
  queryInvalidation(10), queryInvalidation(10_000),
  Workload("floor-query-unrelated", "a dispatch to a store without queries, with one observer") {
    let store = Store(reducer: counting, state: Films())
    let heard = Atomic<Int>(0)
    let token = store.subscribe { _ in heard.add(1, ordering: .relaxed) }
    return { times in
      for _ in 0..<times { store.dispatch(Increment()) }
      withExtendedLifetime(token) {}
    }
  },
  Workload(
    "query-unrelated", "a dispatch of another action to a store with 10,000 queries",
    floor: "floor-query-unrelated"
  ) {
    let store = filledStore(10_000)
    return { times in
      for _ in 0..<times { store.dispatch(Increment()) }
    }
  },
  querySharedTag(10), querySharedTag(10_000), queryObservers(10), queryObservers(10_000), queryEntity(10),
  queryEntity(10_000),
  Workload("query-list", "a new result with 1,000 entities, all of which have changed", turns: 10) {
    let store = filledStore(0)
    return { times in
      for time in 0..<times { store.write(films(1_000, in: time), to: ListedFilms(count: 1_000)) }
    }
  },
]

/// A new result for an entity that a list contains.
private func queryEntity(_ count: Int) -> Workload {
  Workload("query-entity-\(count)", "a new result for one of \(grouped(count)) entities of a list") {
    let store = filledStore(0)
    store.write(films(count), to: ListedFilms(count: count))
    return { times in
      for time in 0..<times {
        store.write(Film(id: 7, title: "Playtime", year: time), to: FilmByID(id: 7))
      }
    }
  }
}

/// The invalidation of one entry without subscribers, its removal, and a new entry.
private func queryInvalidation(_ count: Int) -> Workload {
  Workload(
    "query-invalidation-\(count)",
    "an invalidation of one of \(grouped(count)) queries, which removes it, and a new result"
  ) {
    let store = filledStore(count)
    return { times in
      for time in 0..<times {
        let id = time % count
        store.dispatch(InvalidateTags(.type("Film", id: id)))
        store.write(film(id), to: FilmByID(id: id))
      }
    }
  }
}

/// The removal of one of many entries with the same tag, and a new result.
private func querySharedTag(_ count: Int) -> Workload {
  Workload(
    "query-shared-tag-\(count)", "a removal and a new result of one of \(grouped(count)) queries with one tag"
  ) {
    let store = Store(reducer: counting, plugins: [queries.plugin], state: Films())
    for id in 0..<count { store.write(film(id), to: FilmWithSharedTag(id: id)) }
    return { times in
      for time in 0..<times {
        let query = FilmWithSharedTag(id: time % count)
        // An earlier version of the state exists, so that no change happens in place.
        let earlier = store.state
        store.dispatch(RemoveQueries(query))
        store.write(film(query.id), to: query)
        withExtendedLifetime(earlier) {}
      }
    }
  }
}

/// A new result for one of many queries, each of which has an observer.
private func queryObservers(_ count: Int) -> Workload {
  Workload("query-observers-\(count)", "a new result for one of \(grouped(count)) observed queries") {
    let store = filledStore(count)
    let heard = Atomic<Int>(0)
    let observers = (0..<count).map { id in
      store.observe(FilmByID(id: id)) { _ in heard.add(1, ordering: .relaxed) }
    }
    return { times in
      for time in 0..<times {
        store.write(Film(id: 7, title: "Playtime", year: time), to: FilmByID(id: 7))
      }
      withExtendedLifetime(observers) {}
    }
  }
}
