public import FluxAsync
import FluxCollections
import FluxCore

/// The sections of a list, computed when they are asked for, of what has changed since.
///
/// ```swift
/// let sections = ListSections(of: viewModel.model, by: .by { book in book.author })
/// for section in sections.sections { show(section.id, section.items) }
/// ```
///
/// **State.** A section is loading, loaded or in error as the list is; while the next page of the list is
/// being loaded, or has failed to be, its last section is. A list without items that is not loaded has one
/// section without items, with the list's state and name. So a list that fails among several is seen to.
///
/// **Cost.** Asking when nothing has changed is O(s) for s sections. k changed items cost O(k log² n), and a
/// section that they are not in keeps its version. Safe from any thread.
public final class ListSections<Item: Hashable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// The list.
  public let model: ListModel<Item>
  private let prefix: String
  private let grouping: Locked<any ListGrouping<Item>>
  private let subscriptions = ModelSubscriptions()

  /// Creates the sections of a list.
  ///
  /// - Parameters:
  ///   - model: The list.
  ///   - sectioning: How it is divided.
  ///   - prefix: What the ids of its sections begin with, where those of several lists could be the same.
  public init(of model: ListModel<Item>, by sectioning: ListSectioning<Item>, prefix: String = "") {
    self.model = model
    self.prefix = prefix
    switch sectioning.rule {
    case .key(let key): grouping = Locked(KeyGrouping(by: key))
    case .chunks(let size): grouping = Locked(ChunkGrouping(of: size))
    case .whole(let id): grouping = Locked(WholeGrouping(id: id))
    }
  }

  /// The sections now; who observes them hears when the list changes.
  public var sections: [ItemSection<Item>] { sections(of: model.list) }

  /// The sections now, and newer ones, as an asynchronous sequence, which keeps neither these sections nor the
  /// list alive, and ends with them.
  public var states: StateStream<[ItemSection<Item>]> {
    let proxy = model.proxy
    return subscriptions.stream { [weak self] receive in
      proxy.subscribe(to: { $0 }, by: ListModel.areEqual) { [weak self] list in
        if let self { receive(sections(of: list)) }
      }
    }
  }

  /// The sections of a version of the list, as who subscribes to it is given one.
  ///
  /// They are computed from those of the version that was asked for last.
  public func sections(of list: ListState<Item>) -> [ItemSection<Item>] {
    let groups = grouping.withLock { grouping in
      grouping.update(to: list.items)
      return grouping.groups
    }
    let error = list.error.map { "\($0)" }
    var sections = groups.map { group in
      ItemSection(
        id: prefix + group.id, items: group.items, loadingState: list.loadingState,
        error: list.errorIsAtEnd ? nil : error)
    }
    if sections.isEmpty, list.loadingState != .loaded {
      sections = [ItemSection(id: prefix + model.id.name, loadingState: list.loadingState)]
    }
    guard let last = sections.indices.last else { return [] }
    if list.loadingState == .loaded {
      if list.endState == .loading { sections[last].loadingState = .loading }
      if list.endState == .error { sections[last].loadingState = .error }
    }
    sections[last].error = error
    return sections
  }
}
