// Views of a module that is isolated to the main actor by default, like new projects of Xcode.
import Flux
import SwiftUI
import Testing

nonisolated struct Song: Identifiable, Equatable {
  let id: String
  var title: String
}

struct Library: FluxState, Equatable {
  var songs = OrderedState<Song>()
  var search = ""
}

struct Search: Action { let text: String }
struct Remove: Action { let id: String }

nonisolated let reducer = combine(
  on(Search.self) { (state: inout Library, action) in state.search = action.text },
  on(Remove.self) { (state: inout Library, action) in state.songs.remove(id: action.id) })

struct SongView: ConnectableView {
  struct Props: Equatable {
    let title: String
    @ActionBinding var onRemove: @MainActor () -> Void
  }

  let id: String
  @MappedDispatch() private var dispatch

  func map(state: Library, binder: ActionBinder) -> Props? {
    state.songs[id].map { Props(title: $0.title, onRemove: binder.bind(Remove(id: id))) }
  }

  func body(props: Props) -> some View {
    row(props)
  }

  private func row(_ props: Props) -> some View {
    VStack {
      Text(props.title)
      Button("remove \(id)", action: props.onRemove)
      Button("find \(id)") { dispatch(Search(text: props.title)) }
    }
  }
}

struct SearchView: ConnectedView {
  struct Props: Equatable {
    let search: String
    let count: Int
  }

  func map(state: Library, dispatch: @escaping DispatchFunction) -> Props {
    Props(search: state.search, count: state.songs.count)
  }

  func body(props: Props) -> some View {
    Text("\(props.count) songs, searching \(props.search)")
  }
}

struct Heading: ConnectableViewModifier {
  struct Props: Equatable {
    @ActionBinding var search: String
  }

  func map(state: Library, binder: ActionBinder) -> Props? {
    Props(search: binder.bind(state.search) { Search(text: $0) })
  }

  func body(props: Props, content: Content) -> some View {
    TextField("Search", text: props.$search)
    content
  }
}

struct LibraryView: View {
  @MappedState var library: Library

  var body: some View {
    ForEach(library.songs) { SongView(id: $0.id) }
    SearchView().modifier(Heading())
  }
}

nonisolated struct Charts: FluxState {
  var queries = QueryCache()
}

nonisolated struct SongByID: Query {
  let id: String

  func fetch(in context: RequestContext<Charts>) async throws -> Song { Song(id: id, title: "fetched") }
}

struct FetchedSong: View {
  @ObservedQuery private var song: QueryState<Song>

  init(id: String) {
    _song = ObservedQuery(SongByID(id: id))
  }

  var body: some View {
    Text(song.data?.title ?? "…")
    Button("reload") { $song.refetch() }
  }
}

@Suite("Views with main-actor isolation by default")
struct MainActorViews {
  @Test("views with main-actor isolation by default can be connected in every way")
  func works() {
    let songs = OrderedState([Song(id: "1", title: "a"), Song(id: "2", title: "b")])
    let store = Store(reducer: reducer, state: Library(songs: songs))
    var seen = 0
    let screen = Screen {
      LibraryView()
        .onAction { action in
          seen += 1
          return action
        }
        .provideStore(store)
    }
    screen.press("remove 1")
    screen.press("find 2")
    #expect(screen.text == ["b", "remove 2", "find 2", "Search: b", "1 songs, searching b"])
    screen.type("c", into: "Search")
    #expect(store.state.search == "bc")
    #expect(seen > 2)
  }

  @Test("a view with main-actor isolation by default can show a query")
  func query() async {
    let store = Store(
      reducer: ActionHandlers<Charts> {}, plugins: [QuerySlice(at: \Charts.queries).plugin], state: Charts())
    let screen = Screen { FetchedSong(id: "1").provideStore(store) }
    while screen.text.first != "fetched" {
      await Task.yield()
      screen.update()
    }
    screen.press("reload")
    #expect(screen.text.first == "fetched")
  }
}
