import FluxAsync
public import FluxCore

// List actions that do not call the repository of the list.

/// An action that erases a list and cancels the load of the list.
///
/// See ``ListSlice/flush``.
public struct FlushList: Action, Hashable {
  /// The id of the list.
  public let list: ListID

  /// Marks the load of the list as canceled before the list is erased, and returns a closure
  /// that completes the cancellation.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    let cancel = CancelWork(id: list, because: "the list was flushed")
    let (dispatch, end) = (context.dispatch, cancel._startWork(in: context))
    return { context in
      dispatch(cancel)
      end?(context)
    }
  }
}

/// An action that marks the content of a list as out of date.
///
/// See ``ListSlice/invalidate``.
public struct InvalidateList: Action, Hashable {
  /// The id of the list.
  public let list: ListID
}

/// An action that replaces the items of a list.
///
/// See ``ListSlice/override(by:)``.
public struct OverrideList<Item: Identifiable & Sendable>: Action where Item.ID: Sendable {
  /// The id of the list.
  public let list: ListID
  /// The new items.
  public let items: [Item]
}

/// An action that refreshes a list if the list is not loaded, failed to load, is out of date, or
/// has expired.
///
/// See ``ListSlice/loadIfNeeded``.
public struct LoadListIfNeeded<Item: Identifiable & Sendable>: Action where Item.ID: Sendable {
  let source: ListSource<Item>

  /// The id of the list.
  public var list: ListID { source.id }

  /// Returns a closure that dispatches a refresh if the list needs a refresh after this action
  /// is reduced.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    let dispatch = context.dispatch
    return { context in
      guard let list = context.state.flatMap(source.read), list.load == nil || list.load?.kind == .next,
        list.isStale(at: context.time, lifetime: source.options.lifetime)
      else { return }
      dispatch(ListLoad(.refresh, of: source))
    }
  }
}

extension FlushList: CustomStringConvertible {
  /// The id of the list and the name of the action.
  public var description: String { "\(list).flush" }
}

extension InvalidateList: CustomStringConvertible {
  /// The id of the list and the name of the action.
  public var description: String { "\(list).invalidate" }
}

extension OverrideList: CustomStringConvertible {
  /// The id of the list, the name of the action, and the number of items.
  public var description: String { "\(list).override(\(items.count) items)" }
}

extension LoadListIfNeeded: CustomStringConvertible {
  /// The id of the list and the name of the action.
  public var description: String { "\(list).loadIfNeeded" }
}
