import FluxCollections
import FluxCore
import FluxUI
import Foundation
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Ordered states in lists") struct ListViewTests {
  private struct Song: Identifiable, Equatable {
    let id: String
    var title: String
  }

  private struct Album: FluxState {
    var songs: OrderedState<Song>
  }

  private struct MoveSongs: Action { let from: IndexSet, to: Int }
  private struct RemoveSongs: Action { let at: IndexSet }
  private struct Rename: Action { let id: String, title: String }

  private struct SongRow: View {
    let bodies: Bodies
    let song: Song

    var body: some View {
      let _ = bodies.record(song.id)
      Text(song.title)
    }
  }

  private struct AlbumView: ConnectableView {
    let bodies: Bodies
    @MappedDispatch() private var dispatch

    func map(state: Album) -> OrderedState<Song>? {
      state.songs
    }

    func body(props: OrderedState<Song>) -> some View {
      List {
        ForEach(props) { song in
          SongRow(bodies: bodies, song: song)
        }
        .onMove { dispatch(MoveSongs(from: $0, to: $1)) }
        .onDelete { dispatch(RemoveSongs(at: $0)) }
      }
    }
  }

  private let bodies = Bodies()
  private let sent = Recorder<String>()

  private func makeStore() -> Store<Album> {
    Store(
      reducer: combine(
        on(MoveSongs.self) { state, action in state.songs.move(from: action.from, to: action.to) },
        on(RemoveSongs.self) { state, action in state.songs.remove(at: action.at) },
        on(Rename.self) { state, action in state.songs[action.id]?.title = action.title }),
      plugins: [Plugin(onTransition: .actions { [sent] _, action in sent.record("\(action)") })],
      state: Album(
        songs: [Song(id: "1", title: "a"), Song(id: "2", title: "b"), Song(id: "3", title: "c")]))
  }

  @Test("moving and deleting rows dispatches one action each, which moves and deletes them in the state")
  func changing() {
    let store = makeStore()
    let screen = Screen { AlbumView(bodies: bodies).provideStore(store) }
    screen.move(from: [2], to: 0)
    #expect(screen.text == ["c", "a", "b"])
    screen.delete([0, 2])
    #expect(screen.text == ["a"])
    #expect(store.state.songs.map(\.id) == ["1"])
    #expect(sent.count == 2)
  }

  @Test("a moved row keeps its identity, and its body does not run again")
  func identity() {
    let store = makeStore()
    let screen = Screen { AlbumView(bodies: bodies).provideStore(store) }
    #expect(bodies.takeAll() == ["1", "2", "3"])
    screen.move(from: [0], to: 3)
    #expect(screen.text == ["b", "c", "a"])
    #expect(bodies.takeAll() == [])
    ActionDispatcher(store)(Rename(id: "3", title: "d"))
    screen.update()
    #expect(screen.text == ["b", "d", "a"])
    #expect(bodies.takeAll() == ["3"])
  }
}
