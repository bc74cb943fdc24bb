/// A change to the result of one query, for a mutation or for other code that knows a newer
/// result.
///
/// ```swift
/// QueryEdit.edit(FilmByID(id: 7)) { film in film.title = "Playtime" }
/// QueryEdit.write(film, to: FilmByID(id: film.id))
/// ```
public struct QueryEdit: Sendable {
  /// The identity of the entry.
  public let key: QueryKey
  /// A closure that changes the result, which is `nil` if the cache has no result.
  let apply: @Sendable (inout (any Sendable)?) -> Void
  /// The tags of the result that the change writes, or `nil` if the change edits the known result.
  var tags: Set<QueryTag>?

  /// Returns a change that edits the result of a query.
  ///
  /// If the cache has no result, the change of a mutation has no effect until a result arrives,
  /// and a manual edit has no effect. The closure can be called several times, and must be quick,
  /// because it runs during a reduction.
  public static func edit<Edited: Query>(
    _ query: Edited, _ body: @escaping @Sendable (inout Edited.Value) -> Void
  ) -> QueryEdit {
    QueryEdit(key: QueryKey(query)) { value in
      guard var known = value as? Edited.Value else { return }
      body(&known)
      value = known
    }
  }

  /// Returns a change that replaces the result of a query, or creates it.
  ///
  /// When the change is confirmed, the entry provides the tags of the new result, and is not out of
  /// date.
  public static func write<Written: Query>(_ value: Written.Value, to query: Written) -> QueryEdit {
    var edit = QueryEdit(key: QueryKey(query)) { $0 = value }
    edit.tags = query.tags(for: .success(value))
    return edit
  }
}

extension QueryEdit: CustomStringConvertible {
  /// The description of the query.
  public var description: String { "\(key)" }
}
