public import FluxAsync
import FluxCollections
import FluxCore

/// The sections of a list.
///
/// When the sections are read, they are updated with the changes to the list.
///
/// ```swift
/// let sections = ListSections(of: viewModel.model, by: .by { book in book.author })
/// for section in sections.sections { show(section.id, section.items) }
/// ```
///
/// **State.** Each section has the loading state of the list. While the next page is being
/// loaded, only the last section is in the loading state. If the next page fails to load, only
/// the last section is in the error state. If the list has no items and is not loaded, the
/// sections contain one empty section with the id and the state of the list. The empty section
/// makes the failure of a list visible when several lists are shown together.
///
/// **Cost.** Reading unchanged sections is O(s) for s sections. Updating the sections for k
/// changed items is O(k log² n) for n items. A section without changed items keeps its version.
/// The class is safe to use from any thread.
public final class ListSections<Item: Hashable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// The model of the list.
  public let model: ListModel<Item>
  private let prefix: String
  private let grouping: Locked<any ListGrouping<Item>>
  private let subscriptions = ModelSubscriptions()

  /// Creates the sections of a list.
  ///
  /// - Parameters:
  ///   - model: The model of the list.
  ///   - sectioning: The rule that divides the list.
  ///   - prefix: A prefix for the ids of the sections, to distinguish the sections of several
  ///     lists.
  public init(of model: ListModel<Item>, by sectioning: ListSectioning<Item>, prefix: String = "") {
    self.model = model
    self.prefix = prefix
    switch sectioning.rule {
    case .key(let key): grouping = Locked(KeyGrouping(by: key))
    case .chunks(let size): grouping = Locked(ChunkGrouping(of: size))
    case .whole(let id): grouping = Locked(WholeGrouping(id: id))
    }
  }

  /// The current sections.
  ///
  /// The `Observation` framework tracks this property, and notifies observers when the list
  /// changes.
  public var sections: [ItemSection<Item>] { sections(of: model.list) }

  /// A stream of the current sections, followed by newer sections.
  ///
  /// The stream does not retain the ``ListSections`` instance or the list, and ends when the
  /// instance is released.
  public var states: StateStream<[ItemSection<Item>]> {
    let proxy = model.proxy
    return subscriptions.stream { [weak self] receive in
      proxy.subscribe(to: { $0 }, by: ListModel.areEqual) { [weak self] list in
        if let self { receive(sections(of: list)) }
      }
    }
  }

  /// Returns the sections of a version of the list, for example a version from a subscription.
  ///
  /// The method updates the sections that were computed last, instead of computing all sections
  /// again.
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

/// A rule that divides a list into sections.
public struct ListSectioning<Item: Sendable>: Sendable {
  enum Rule: Sendable {
    case key(@Sendable (Item) -> String)
    case chunks(Int)
    case whole(String)
  }

  let rule: Rule

  /// Returns a rule that creates a section for each key.
  ///
  /// The sections are in the order of their first items.
  ///
  /// - Parameter key: A closure that returns the id of the section of an item. The closure is
  ///   called once for each item that is inserted or changed. The closure runs under a lock, so
  ///   it must be fast and depend only on the item.
  public static func by(_ key: @escaping @Sendable (Item) -> String) -> ListSectioning {
    ListSectioning(rule: .key(key))
  }

  /// Returns a rule that creates sections with a fixed number of items.
  ///
  /// The ids of the sections are numbers, beginning with 1.
  ///
  /// - Parameter count: The number of items of a section. A value less than 1 counts as 1.
  public static func chunks(of count: Int) -> ListSectioning {
    ListSectioning(rule: .chunks(max(1, count)))
  }

  /// Returns a rule that creates one section, even if the list is empty.
  ///
  /// - Parameter id: The id of the section.
  public static func whole(_ id: String) -> ListSectioning {
    ListSectioning(rule: .whole(id))
  }
}
