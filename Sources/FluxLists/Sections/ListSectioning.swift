/// How a list is divided into sections.
public struct ListSectioning<Item: Sendable>: Sendable {
  enum Rule: Sendable {
    case key(@Sendable (Item) -> String)
    case chunks(Int)
    case whole(String)
  }

  let rule: Rule

  /// A section for each key, in the order of their first items.
  ///
  /// - Parameter key: Gives the section of an item, by its id. It is called once for each item that comes or
  ///   changes, under a lock: it has to be quick, and to depend on the item alone.
  public static func by(_ key: @escaping @Sendable (Item) -> String) -> ListSectioning {
    ListSectioning(rule: .key(key))
  }

  /// Sections of so many items, the ids of which are numbers from 1 on.
  ///
  /// - Parameter count: How many items; less than one counts as one.
  public static func chunks(of count: Int) -> ListSectioning {
    ListSectioning(rule: .chunks(max(1, count)))
  }

  /// One section, which is there also while the list is empty.
  ///
  /// - Parameter id: Its id.
  public static func whole(_ id: String) -> ListSectioning {
    ListSectioning(rule: .whole(id))
  }
}
