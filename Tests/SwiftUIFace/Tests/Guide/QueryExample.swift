// The views of Queries.md, word for word: the tests of the guide compare them.
import Flux
import SwiftUI

struct Film: Hashable, Sendable {
  let id: Int
  var title: String
}

struct FilmApp: FluxState {
  var queries = QueryCache()
}

struct FilmByID: Query {
  let id: Int

  func fetch(in context: RequestContext<FilmApp>) async throws -> Film { Film(id: id, title: "Playtime") }
}

struct FilmsAbout: Query {
  let words: String

  func fetch(in context: RequestContext<FilmApp>) async throws -> [Film] { [Film(id: 7, title: words)] }
}

struct FilmView: View {
  @ObservedQuery private var film: QueryState<Film>

  init(id: Int) {
    _film = ObservedQuery(FilmByID(id: id))
  }

  var body: some View {
    Text(film.data?.title ?? "…")
    Button("Reload") { $film.refetch() }
  }
}

struct FilmsAboutTati: View {
  @ObservedQuery(FilmsAbout(words: "Tati"), QueryOptions(refetchesOnFocus: true)) private var films

  var body: some View {
    Text("\(films.data?.count ?? 0) films")
  }
}
