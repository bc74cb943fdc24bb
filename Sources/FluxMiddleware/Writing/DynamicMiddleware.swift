public import FluxCore

/// An object that adds and removes middleware in the chain of a running store.
///
/// ```swift
/// let dynamic = DynamicMiddleware<AppState>()
/// let store = Store(reducer: appReducer, middleware: [dynamic.middleware], state: AppState())
/// let id = dynamic.add(tracing)
/// dynamic.remove(id)
/// ```
///
/// Added middleware receive each action in the order in which they were added. A change takes
/// effect for the next action that reaches the object, on any thread. An action that has already
/// reached the object passes through the middleware that were present at that time, even if a
/// middleware calls `next` later.
///
/// You can use one object in several stores, or several times in one chain. The outer closure of
/// an added middleware runs once for each use of the object. The middle closure runs again
/// whenever a middleware is added or removed, because its `next` function changes.
///
/// While the object contains no middleware, it costs only a few instructions for each action.
/// You can use the object from any thread. Adding or removing a middleware takes O(n) time for n
/// middleware. The idea is borrowed from `createDynamicMiddleware` of Redux Toolkit.
public final class DynamicMiddleware<State>: Sendable {
  /// The identifier of an added middleware.
  public struct ID: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// Creates a dynamic middleware that contains no middleware.
  public init() {}

  /// The middleware to pass to a store, so that the added middleware become part of its chain.
  public var middleware: Middleware<State> {
    { [self] dispatch, getState in
      { next in
        let place = PlaceInChain(next: next, onEnd: self.forget)
        self.serve(place, store: RunningStore(dispatch: dispatch, getState: getState))
        return { action in place.receive(action) }
      }
    }
  }

  /// Adds a middleware after all middleware that were added earlier.
  ///
  /// - Returns: The identifier with which you can remove the middleware. Discarding the
  ///   identifier does not remove the middleware.
  @discardableResult
  public func add(_ middleware: @escaping Middleware<State>) -> ID {
    var links: [PlaceInChain.ID: Link] = [:]
    while true {
      let (id, missing) = contents.withLock { $0.add(middleware, links: links) }
      guard let id else {
        for (place, store) in missing { links[place] = Link(middleware, store) }
        continue
      }
      rebuild()
      return id
    }
  }

  /// Removes a middleware, if it is present.
  public func remove(_ id: ID) {
    // The removed middleware is released outside the lock.
    _ = contents.withLock { contents -> [Added] in
      contents.version += 1
      let removed = contents.added.filter { $0.id == id }
      contents.added.removeAll { $0.id == id }
      return removed
    }
    rebuild()
  }

  /// Removes all middleware.
  public func removeAll() {
    _ = contents.withLock { contents -> [Added] in
      contents.version += 1
      defer { contents.added = [] }
      return contents.added
    }
    rebuild()
  }

  // MARK: - Implementation

  /// The functions that a middleware receives from its store.
  fileprivate struct RunningStore: Sendable {
    let dispatch: DispatchFunction
    let getState: @Sendable () -> State?
  }

  /// A middleware that has received the functions of a store.
  fileprivate struct Link: Sendable {
    let wrap: @Sendable (@escaping DispatchFunction) -> DispatchFunction

    init(_ middleware: Middleware<State>, _ store: RunningStore) {
      wrap = middleware(store.dispatch, store.getState)
    }
  }

  fileprivate struct Added: Sendable {
    let id: ID
    let middleware: Middleware<State>
    /// A dictionary that maps each place in a chain to the link of the middleware for that
    /// place.
    var links: [PlaceInChain.ID: Link]
  }

  fileprivate struct Served: Sendable {
    weak var place: PlaceInChain?
    let store: RunningStore
  }

  fileprivate struct Contents: Sendable {
    var added: [Added] = []
    var places: [PlaceInChain.ID: Served] = [:]
    var nextNumber: UInt64 = 0
    /// The number of changes, which is used to prevent an older chain from replacing a newer
    /// chain.
    var version: UInt64 = 0
  }

  private let contents = Locked(Contents())

  /// Registers a place in a chain, together with a new link for each added middleware.
  private func serve(_ place: PlaceInChain, store: RunningStore) {
    var links: [ID: Link] = [:]
    while true {
      let missing = contents.withLock { $0.serve(place, store: store, links: links) }
      if missing.isEmpty { break }
      for added in missing { links[added.id] = Link(added.middleware, store) }
    }
    rebuild()
  }

  @Sendable
  private func forget(_ place: PlaceInChain.ID) {
    // The links are released outside the lock.
    _ = contents.withLock { contents -> [Link] in
      contents.places[place] = nil
      return contents.added.indices.compactMap { contents.added[$0].links.removeValue(forKey: place) }
    }
  }

  /// Installs a chain of the added middleware at every registered place.
  private func rebuild() {
    let (version, chains) = contents.withLock { contents in
      let chains = contents.places.map { id, served in
        (served.place, contents.added.compactMap { $0.links[id] })
      }
      return (contents.version, chains)
    }
    for case (let place?, let links) in chains {
      let chain = links.reversed().reduce(place.next) { next, link in link.wrap(next) }
      place.install(links.isEmpty ? nil : chain, version: version)
    }
  }
}

extension DynamicMiddleware.Contents {
  /// Adds a middleware if it has a link for every place in a chain, or returns the places for
  /// which the middleware has no link.
  fileprivate mutating func add(
    _ middleware: @escaping Middleware<State>, links: [PlaceInChain.ID: DynamicMiddleware<State>.Link]
  ) -> (DynamicMiddleware<State>.ID?, missing: [(PlaceInChain.ID, DynamicMiddleware<State>.RunningStore)]) {
    let missing = places.filter { links[$0.key] == nil }.map { ($0.key, $0.value.store) }
    guard missing.isEmpty else { return (nil, missing) }
    nextNumber += 1
    version += 1
    let id = DynamicMiddleware<State>.ID(number: nextNumber)
    // A place in a chain might have been released after the link for that place was created.
    let living = links.filter { places[$0.key] != nil }
    added.append(DynamicMiddleware<State>.Added(id: id, middleware: middleware, links: living))
    return (id, [])
  }

  /// Registers a place in a chain if every middleware has a link for the place, or returns the
  /// middleware that have no link for the place.
  fileprivate mutating func serve(
    _ place: PlaceInChain, store: DynamicMiddleware<State>.RunningStore,
    links: [DynamicMiddleware<State>.ID: DynamicMiddleware<State>.Link]
  ) -> [DynamicMiddleware<State>.Added] {
    let missing = added.filter { links[$0.id] == nil }
    guard missing.isEmpty else { return missing }
    version += 1
    places[place.id] = DynamicMiddleware<State>.Served(place: place, store: store)
    for index in added.indices { added[index].links[place.id] = links[added[index].id] }
    return []
  }
}
