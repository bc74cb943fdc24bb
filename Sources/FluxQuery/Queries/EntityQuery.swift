/// A query that fetches one entity by its identity.
///
/// ```swift
/// struct FilmByID: EntityQuery {
///   let id: Int
///
///   func fetch(in context: RequestContext<AppState>) async throws -> Film {
///     try await context.services((any FilmService).self).film(id)
///   }
/// }
/// ```
///
/// Other queries can declare that their results contain the entity. See ``Query/entities``.
public protocol EntityQuery: Query, Identifiable where Value: Identifiable, Value.ID == ID {
  /// Creates the query for the entity with the given identity.
  init(id: ID)
}
