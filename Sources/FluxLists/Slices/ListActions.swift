import FluxAsync
public import FluxCore

// The actions of a list that ask nobody for anything.

/// Erases a list, and cancels what loads it; see ``ListSlice/flush``.
public struct FlushList: Action, Hashable {
  /// Which list.
  public let list: ListID

  /// Marks the work that loads the list as cancelled before the list is erased, and returns a closure that ends it.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    let cancel = CancelWork(id: list, because: "the list was flushed")
    let (dispatch, end) = (context.dispatch, cancel._startWork(in: context))
    return {
      dispatch(cancel)
      end?()
    }
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

  /// Returns a closure that dispatches the load, if the list needs one when this action has been reduced.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    let dispatch = context.dispatch
    return {
      guard let list = context.state.flatMap(source.read), list.load == nil || list.load?.kind == .next,
        list.isStale(at: context.time, lifetime: source.options.lifetime)
      else { return }
      dispatch(ListLoad(.refresh, of: source))
    }
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
