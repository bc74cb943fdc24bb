public import FluxAsync
public import FluxCore

/// An action that loads a value: what ``ItemSlice/reload`` and ``ItemSlice/refresh`` give.
public struct ItemLoad<Item: Sendable>: AsyncRequest {
  let source: ItemSource<Item>
  /// Whether what there is goes at once.
  let erases: Bool

  /// That of the slice, for all loads of the value together.
  public var policy: WorkPolicy { source.policy }

  /// Whether there is any point in fetching.
  public func isWanted(in state: any FluxState) -> Bool {
    source.read(state) != nil && source.shouldFetch()
  }

  /// Fetches the value.
  public func perform(in context: RequestContext<any FluxState>) async throws -> ItemAnswer<Item> {
    ItemAnswer(try await source.fetch(), at: context.time)
  }
}

extension ItemLoad: Equatable {
  /// Whether two actions do the same to the same value.
  public static func == (first: ItemLoad, second: ItemLoad) -> Bool {
    first.source.id == second.source.id && first.erases == second.erases
  }
}

extension ItemLoad: CustomStringConvertible {
  /// The value and what is done to it, as in `Profile.reload`.
  public var description: String { "\(source.id).\(erases ? "reload" : "refresh")" }
}

/// Shows another value.
struct OverrideItem<Item: Sendable>: Action, CustomStringConvertible {
  let id: ListID
  let item: Item?

  var description: String { "\(id).override" }
}
