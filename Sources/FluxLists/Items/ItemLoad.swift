public import FluxAsync
public import FluxCore

/// An action that loads a value.
///
/// The properties ``ItemSlice/reload`` and ``ItemSlice/refresh`` return this action.
public struct ItemLoad<Item: Sendable>: AsyncRequest {
  let source: ItemSource<Item>
  /// A Boolean value that indicates whether the action erases the current value.
  let erases: Bool

  /// The policy of the slice, which applies each time the value is loaded.
  public var policy: WorkPolicy { source.policy }

  /// Returns a Boolean value that indicates whether the value should be fetched.
  public func isWanted(in state: any FluxState) -> Bool {
    source.read(state) != nil && source.shouldFetch()
  }

  /// Fetches the value from the repository.
  public func perform(in context: RequestContext<any FluxState>) async throws -> ItemAnswer<Item> {
    ItemAnswer(try await context.services.callingRepository { try await source.fetch() }, at: context.time)
  }
}

extension ItemLoad: Equatable {
  /// Returns a Boolean value that indicates whether two actions load the same value with the
  /// same kind of load.
  public static func == (first: ItemLoad, second: ItemLoad) -> Bool {
    first.source.id == second.source.id && first.erases == second.erases
  }
}

extension ItemLoad: CustomStringConvertible {
  /// The id of the value and the kind of load, as in `Profile.reload`.
  public var description: String { "\(source.id).\(erases ? "reload" : "refresh")" }
}

/// An action that replaces the value.
struct OverrideItem<Item: Sendable>: Action, CustomStringConvertible {
  let id: ListID
  let item: Item?

  var description: String { "\(id).override" }
}
