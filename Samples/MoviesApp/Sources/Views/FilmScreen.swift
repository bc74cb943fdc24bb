import Flux
import FluxNavigation
import SwiftUI

/// The screen of a film, which fetches the film if the cache does not contain it.
struct FilmScreen: View {
  @ObservedQuery private var film: QueryState<Film>

  init(id: Int) {
    _film = ObservedQuery(FilmByID(id: id))
  }

  var body: some View {
    Loaded(film, retry: $film.refetch) { film in FilmDetails(film: film) }
  }
}

/// The properties of a film, and its place on the wish list.
struct FilmDetails: ConnectableView {
  struct Props: Equatable {
    @ActionBinding var isWished: Bool
  }

  let film: Film

  func map(state: AppState, binder: ActionBinder) -> Props? {
    let isWished = state.wishes.films.contains(film.id)
    return Props(isWished: binder.bind(isWished) { SetWish(film: film.id, isWished: $0) })
  }

  func body(props: Props) -> some View {
    Form {
      Text(film.synopsis)
      LabeledContent("Director", value: film.director)
      LabeledContent("Year", value: String(film.year))
      LabeledContent("Length", value: "\(film.minutes) min")
      LabeledContent("Genres", value: film.genres.joined(separator: ", "))
      Toggle("On the wish list", isOn: props.$isWished)
    }
    .formStyle(.grouped)
    .navigationTitle(film.title)
  }
}
