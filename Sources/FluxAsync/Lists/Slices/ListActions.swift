public import FluxCore

// The actions of a list that ask nobody for anything.

/// Erases a list, and cancels what loads it; see ``ListSlice/flush``.
public struct FlushList: Action, Hashable {
  /// Which list.
  public let list: ListID

  /// Cancels what loads the list, before it is erased.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    context.dispatch(CancelWork(id: list, because: "the list was flushed"))
    return nil
  }
}

/// Notes that what was loaded of a list is out of date; see ``ListSlice/invalidate``.
public struct InvalidateList: Action, Hashable {
  /// Which list.
  public let list: ListID
}

/// Shows other items in a list; see ``ListSlice/override(by:)``.
public struct OverrideList<Item: Identifiable & Sendable>: Action where Item.ID: Sendable {
  /// Which list.
  public let list: ListID
  /// What to show.
  public let items: [Item]
}

/// Loads a list if it was not, is out of date, or has expired; see ``ListSlice/loadIfNeeded``.
public struct LoadListIfNeeded<Item: Identifiable & Sendable>: Action where Item.ID: Sendable {
  let source: ListSource<Item>

  /// Which list.
  public var list: ListID { source.id }

  /// Dispatches the load, once this was reduced, if there is any need.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    guard let list = context.state.flatMap(source.read), list.load == nil || list.load?.kind == .next,
      list.isStale(at: context.time, lifetime: source.options.lifetime)
    else { return nil }
    context.dispatch(ListLoad(.refresh, of: source))
    return nil
  }
}

extension FlushList: CustomStringConvertible {
  /// The list and what is done to it.
  public var description: String { "\(list).flush" }
}

extension InvalidateList: CustomStringConvertible {
  /// The list and what is done to it.
  public var description: String { "\(list).invalidate" }
}

extension OverrideList: CustomStringConvertible {
  /// The list and what is done to it.
  public var description: String { "\(list).override(\(items.count) items)" }
}

extension LoadListIfNeeded: CustomStringConvertible {
  /// The list and what is done to it.
  public var description: String { "\(list).loadIfNeeded" }
}
