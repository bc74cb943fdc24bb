import Flux
import SwiftUI
import Testing

// An app written according to SwiftUIFlux's guide, including its views, without changed names.

private struct MoviesAppState: FluxState {
  var moviesState = MoviesState()
}

private struct MoviesState: FluxState, Codable {
  var movies: [Int: Movie] = [:]
}

private struct Movie: Codable, Identifiable {
  let id: Int
  let title: String
  var likes = 0
}

private struct MoviesActions {
  struct FetchDetail: AsyncAction {
    let movie: Int

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      dispatch(SetDetail(movie: Movie(id: movie, title: "Movie \(movie)")))
    }
  }

  struct SetDetail: Action {
    let movie: Movie
  }

  struct Like: Action {
    let movie: Int
  }
}

private func moviesAppReducer(state: MoviesAppState, action: Action) -> MoviesAppState {
  var state = state
  switch action {
  case let action as MoviesActions.SetDetail:
    state.moviesState.movies[action.movie.id] = action.movie
  case let action as MoviesActions.Like:
    state.moviesState.movies[action.movie]?.likes += 1
  default:
    break
  }
  return state
}

private struct MovieBackdrop: View {
  let movieId: Int

  var body: some View {
    Text("backdrop \(movieId)")
  }
}

/// The form that uses the whole state.
private struct WholeStateDetail: View {
  @EnvironmentObject var store: Store<MoviesAppState>

  let movieId: Int

  var movie: Movie? {
    return store.state.moviesState.movies[movieId]
  }

  func fetchMovieDetails() {
    store.dispatch(action: MoviesActions.FetchDetail(movie: movieId))
  }

  var body: some View {
    ZStack(alignment: .bottom) {
      List {
        MovieBackdrop(movieId: movieId)
        Text(movie?.title ?? "loading")
      }
    }.onAppear {
      self.fetchMovieDetails()
    }
  }
}

/// The form that uses props.
private struct MovieDetail: ConnectedView {
  struct Props {
    let movie: Movie?
    let like: () -> Void
  }

  let movieId: Int

  func map(state: MoviesAppState, dispatch: @escaping DispatchFunction) -> Props {
    return Props(movie: state.moviesState.movies[movieId]) {
      dispatch(MoviesActions.Like(movie: movieId))
    }
  }

  func body(props: Props) -> some View {
    ZStack(alignment: .bottom) {
      List {
        MovieBackdrop(movieId: movieId)
        if let movie = props.movie {
          Text("\(movie.title), \(movie.likes) likes")
        }
        Button(action: props.like) {
          Text("Like")
        }
      }
    }
  }
}

private func makeStore() -> Store<MoviesAppState> {
  Store<MoviesAppState>(
    reducer: moviesAppReducer,
    middleware: nil,
    state: MoviesAppState())
}

@MainActor
@Suite("Views written to SwiftUIFlux's guide")
struct SwiftUIFluxGuideTests {
  @Test("a store provider provides the store to the views within, and a view may observe the whole state")
  func wholeState() {
    let store = makeStore()
    let screen = Screen {
      StoreProvider(store: store) {
        WholeStateDetail(movieId: 3)
      }
    }
    ActionDispatcher(store)(EmptyAction())
    screen.update()
    #expect(screen.text == ["backdrop 3", "Movie 3"])
  }

  @Test("a connected view shows its props, and dispatches from them")
  func connected() {
    let store = makeStore()
    let screen = Screen {
      StoreProvider(store: store) {
        MovieDetail(movieId: 3)
      }
    }
    #expect(screen.text == ["backdrop 3", "Like"])
    ActionDispatcher(store)(MoviesActions.FetchDetail(movie: 3))
    screen.update()
    #expect(screen.text == ["backdrop 3", "Movie 3, 0 likes", "Like"])
    screen.press("Like")
    ActionDispatcher(store)(EmptyAction())
    screen.update()
    #expect(screen.text == ["backdrop 3", "Movie 3, 1 likes", "Like"])
  }
}
