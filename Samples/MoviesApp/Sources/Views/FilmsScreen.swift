import Flux
import FluxNavigation
import SwiftUI

/// The list of films, or the results of a search.
struct FilmsScreen: ConnectableView {
  struct Props: Equatable {
    let filter: FilmFilter
    let words: String
    @ActionBinding var searchText: String
    @ActionBinding var onFilter: @MainActor () -> Void
    @ActionBinding var onAbout: @MainActor () -> Void
  }

  func map(state: AppState, binder: ActionBinder) -> Props? {
    Props(
      filter: state.filter, words: state.search.words,
      searchText: binder.bind(state.search.text) { SetSearchText(text: $0) },
      onFilter: binder.bind(routing.present(.filter)), onAbout: binder.bind(routing.present(.about)))
  }

  func body(props: Props) -> some View {
    Group {
      if props.searchText.isEmpty {
        FilmList(filter: props.filter)
      } else {
        SearchResults(words: props.words)
      }
    }
    .navigationTitle("Films")
    .searchable(text: props.$searchText, prompt: "Title or director")
    .toolbar {
      ToolbarItemGroup(placement: .primaryAction) {
        Button("Filter", systemImage: filterImage(props.filter), action: props.onFilter)
        Button("About", systemImage: "info.circle", action: props.onAbout)
      }
    }
  }

  private func filterImage(_ filter: FilmFilter) -> String {
    "line.3.horizontal.decrease.circle" + (filter.acceptsAll ? "" : ".fill")
  }
}

/// The films that a search has found.
struct SearchResults: View {
  private let words: String
  @ObservedQuery private var films: QueryState<[Film]>

  init(words: String) {
    self.words = words
    _films = ObservedQuery(words.isEmpty ? nil : FilmsAbout(words: words))
  }

  var body: some View {
    Loaded(films, retry: $films.refetch) { films in
      if films.isEmpty {
        ContentUnavailableView(
          "No Films", systemImage: "magnifyingglass", description: Text("Nothing matches “\(words)”."))
      } else {
        List {
          ForEach(films) { film in FilmRow(film: film) }
        }
      }
    }
  }
}
