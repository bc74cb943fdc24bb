public import FluxAsync
public import FluxCore

/// An action that loads a list: what ``ListSlice/reload``, ``ListSlice/refresh`` and ``ListSlice/fetchNext``
/// give.
///
/// It is an ``AsyncRequest``: it is pending, and then fulfilled with what came or rejected, and the slice's
/// reducer changes the list by these.
public struct ListLoad<Item: Identifiable & Sendable>: AsyncRequest where Item.ID: Sendable {
  /// When the page after is worth loading.
  enum Occasion: Sendable {
    case always
    /// When an item near the end is shown.
    case shown(Item.ID)
  }

  let source: ListSource<Item>
  /// What it is to do.
  public let kind: ListLoadKind
  let occasion: Occasion

  init(_ kind: ListLoadKind, of source: ListSource<Item>, _ occasion: Occasion = .always) {
    self.source = source
    self.kind = kind
    self.occasion = occasion
  }

  /// Which list it loads.
  public var list: ListID { source.id }

  /// That of the list's options, for all loads of the list together; a next page takes the place of no load.
  public var policy: WorkPolicy {
    guard kind == .next, source.policy.overlap == .latest else { return source.policy }
    // Two threads that ask at once may both find the list idle: of these one goes on, and a refresh before a next page.
    var policy = source.policy
    policy.overlap = .leading
    policy.pace = .atOnce
    return policy
  }

  /// Whether there is anything to load: a next page is not wanted while the list is being loaded, or at its
  /// end.
  public func isWanted(in state: any FluxState) -> Bool {
    source.read(state).map(isDue) ?? false
  }

  func isDue(in list: ListState<Item>) -> Bool {
    guard kind == .next else { return source.repository.shouldFetch(.first) }
    guard list.canFetchNext, let position = list.nextPage else { return false }
    if case .shown(let id) = occasion {
      // Who scrolls does not ask for what has failed: the error is shown, with a way to try again.
      guard list.error == nil, list.isNearEnd(id, within: source.options.prefetchDistance) else {
        return false
      }
    }
    return source.repository.shouldFetch(position)
  }

  /// Fetches a page.
  public func perform(in context: RequestContext<any FluxState>) async throws -> ListAnswer<Item> {
    let list = kind == .next ? source.read(context.state) : nil
    let position = list.map(\.nextPage) ?? .first
    // The list was changed by others since it was asked.
    guard let position else { throw ListFailure(.unwanted) }
    let page = try await source.repository.fetch(position)
    let loaded = LoadedPage(
      at: position, count: page.items.count, total: page.total ?? list?.total, nextCursor: page.nextCursor)
    return ListAnswer(
      page.items, page: loaded, nextPage: source.repository.next(loaded), at: context.time)
  }
}

extension ListLoad: RequestThatMayBeDropped {
  /// A next page that another load was faster than is none to ask for.
  package var isUnwantedWhenDropped: Bool { kind == .next }
}

extension ListLoad: Equatable {
  /// Whether two actions do the same to the same list.
  public static func == (first: ListLoad, second: ListLoad) -> Bool {
    first.list == second.list && first.kind == second.kind
  }
}

extension ListLoad: CustomStringConvertible {
  /// The list and what is done to it, as in `Books.reload`.
  public var description: String { "\(list).\(kind)" }
}
