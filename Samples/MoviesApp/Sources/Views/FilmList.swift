import Flux
import FluxNavigation
import SwiftUI

/// The films that a filter accepts, whose next page is fetched when the last film appears.
struct FilmList: View {
  @ObservedQuery private var pages: QueryState<FilmPages.Value>

  init(filter: FilmFilter) {
    _pages = ObservedQuery(FilmPages(filter: filter))
  }

  var body: some View {
    Loaded(pages, retry: $pages.refetch) { pages in
      let films = pages.flatMap(\.items)
      List {
        refreshFailure
        ForEach(films) { film in
          FilmRow(film: film)
            .onAppear { if film == films.last { $pages.fetchNextPage() } }
        }
        nextPage
      }
      .refreshable { await $pages.refresh() }
    }
  }

  @ViewBuilder private var refreshFailure: some View {
    if let failure = pages.error, pages.nextPageError == nil {
      Retry(failure: failure, isRunning: pages.isFetching, retry: $pages.refetch)
    }
  }

  @ViewBuilder private var nextPage: some View {
    if let failure = pages.nextPageError {
      Retry(failure: failure, isRunning: pages.isFetching) { $pages.fetchNextPage() }
    } else if pages.isFetchingNextPage {
      ProgressView("Loading More")
    }
  }
}

/// A row that opens the screen of a film.
struct FilmRow: ConnectableView {
  struct Props: Equatable {
    let isWished: Bool
    @ActionBinding var onOpen: @MainActor () -> Void
  }

  let film: Film

  func map(state: AppState, binder: ActionBinder) -> Props? {
    Props(
      isWished: state.wishes.films.contains(film.id), onOpen: binder.bind(routing.push(.film(film.id))))
  }

  func body(props: Props) -> some View {
    Button(action: props.onOpen) {
      HStack {
        VStack(alignment: .leading) {
          Text(film.title).font(.headline)
          Text(film.credit).foregroundStyle(.secondary)
        }
        Spacer()
        if props.isWished {
          Image(systemName: "heart.fill").accessibilityLabel("On the wish list")
        }
      }
      .contentShape(Rectangle())
    }
    .buttonStyle(.plain)
  }
}
