public import FluxCore

/// A place in the chain where middleware can be added and removed while the store runs.
///
/// ```swift
/// let dynamic = DynamicMiddleware<AppState>()
/// let store = Store(reducer: appReducer, middleware: [dynamic.middleware], state: AppState())
/// let id = dynamic.add(tracing)
/// dynamic.remove(id)
/// ```
///
/// What is added sees an action after what was added before it. A change takes effect for the next action that
/// arrives here, on any thread, and never half-way through one: an action that is under way goes on through the
/// middleware that was there when it arrived, also when that calls `next` late.
///
/// One place may stand in several stores, or several times in one chain. The outer closure of a middleware runs once
/// for each of them, the one in the middle again whenever something is added or removed, since what it is given as
/// `next` is another then.
///
/// While nothing has been added, an action costs a few instructions. Safe from any thread; adding and removing are
/// O(n) for n middleware. The idea is Redux Toolkit's `createDynamicMiddleware`.
public final class DynamicMiddleware<State>: Sendable {
  /// Names a middleware that has been added.
  public struct ID: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// Creates a place with nothing in it.
  public init() {}

  /// The link to put into a store's chain.
  public var middleware: Middleware<State> {
    { [self] dispatch, getState in
      { next in
        let place = PlaceInChain(next: next, onEnd: self.forget)
        self.serve(place, store: Store(dispatch: dispatch, getState: getState))
        return { action in place.receive(action) }
      }
    }
  }

  /// Adds a middleware behind those that have been added before.
  ///
  /// - Returns: What to remove it by. The middleware stays whether or not this is kept.
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

  /// Removes a middleware; one that is not there is no matter.
  public func remove(_ id: ID) {
    // What is removed is released outside the lock.
    _ = contents.withLock { contents -> [Added] in
      contents.version += 1
      let removed = contents.added.filter { $0.id == id }
      contents.added.removeAll { $0.id == id }
      return removed
    }
    rebuild()
  }

  /// Removes every middleware.
  public func removeAll() {
    _ = contents.withLock { contents -> [Added] in
      contents.version += 1
      defer { contents.added = [] }
      return contents.added
    }
    rebuild()
  }

  // MARK: - Behind the face

  /// What a middleware is given by the store it stands in.
  fileprivate struct Store: Sendable {
    let dispatch: DispatchFunction
    let getState: @Sendable () -> State?
  }

  /// A middleware that has been given a store.
  fileprivate struct Link: Sendable {
    let wrap: @Sendable (@escaping DispatchFunction) -> DispatchFunction

    init(_ middleware: Middleware<State>, _ store: Store) {
      wrap = middleware(store.dispatch, store.getState)
    }
  }

  fileprivate struct Added: Sendable {
    let id: ID
    let middleware: Middleware<State>
    /// Its link in each place.
    var links: [PlaceInChain.ID: Link]
  }

  fileprivate struct Served: Sendable {
    weak var place: PlaceInChain?
    let store: Store
  }

  fileprivate struct Contents: Sendable {
    var added: [Added] = []
    var places: [PlaceInChain.ID: Served] = [:]
    var nextNumber: UInt64 = 0
    /// Counts the changes, so that an older chain does not take the place of a newer one.
    var version: UInt64 = 0
  }

  private let contents = Locked(Contents())

  /// Takes a place into service: gives it a link of each middleware.
  private func serve(_ place: PlaceInChain, store: Store) {
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
    // Released outside the lock.
    _ = contents.withLock { contents -> [Link] in
      contents.places[place] = nil
      return contents.added.indices.compactMap { contents.added[$0].links.removeValue(forKey: place) }
    }
  }

  /// Gives every place the chain of what is there now.
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
  /// Adds a middleware if it has a link in every place; otherwise tells where it lacks one.
  fileprivate mutating func add(
    _ middleware: @escaping Middleware<State>, links: [PlaceInChain.ID: DynamicMiddleware<State>.Link]
  ) -> (DynamicMiddleware<State>.ID?, missing: [(PlaceInChain.ID, DynamicMiddleware<State>.Store)]) {
    let missing = places.filter { links[$0.key] == nil }.map { ($0.key, $0.value.store) }
    guard missing.isEmpty else { return (nil, missing) }
    nextNumber += 1
    version += 1
    let id = DynamicMiddleware<State>.ID(number: nextNumber)
    // A place may have gone since its link was made.
    let living = links.filter { places[$0.key] != nil }
    added.append(DynamicMiddleware<State>.Added(id: id, middleware: middleware, links: living))
    return (id, [])
  }

  /// Takes in a place if every middleware has a link there; otherwise tells which lack one.
  fileprivate mutating func serve(
    _ place: PlaceInChain, store: DynamicMiddleware<State>.Store,
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
