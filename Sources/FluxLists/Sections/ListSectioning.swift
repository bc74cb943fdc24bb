/// A rule that divides a list into sections.
public struct ListSectioning<Item: Sendable>: Sendable {
  enum Rule: Sendable {
    case key(@Sendable (Item) -> String)
    case chunks(Int)
    case whole(String)
  }

  let rule: Rule

  /// Returns a rule that creates a section for each key, in the order of their first items.
  ///
  /// - Parameter key: A closure that returns the id of the section of an item. It is called once
  ///   for each item that is inserted or changed. It runs under a lock, so it must be fast and
  ///   depend only on the item.
  public static func by(_ key: @escaping @Sendable (Item) -> String) -> ListSectioning {
    ListSectioning(rule: .key(key))
  }

  /// Returns a rule that creates sections with a fixed number of items.
  ///
  /// The ids of the sections are numbers, beginning with 1.
  ///
  /// - Parameter count: The number of items of a section. Values below 1 count as 1.
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
