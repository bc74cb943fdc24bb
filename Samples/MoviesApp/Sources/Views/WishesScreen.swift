import Flux
import SwiftUI

/// The films of the wish list.
struct WishesScreen: ConnectableView {
  struct Props: Equatable {
    let films: [Int]
    @ActionBinding var onRemove: ([Int]) -> Void
  }

  func map(state: AppState, binder: ActionBinder) -> Props? {
    Props(films: state.wishes.films, onRemove: binder.bind { RemoveWishes(films: $0) })
  }

  func body(props: Props) -> some View {
    Group {
      if props.films.isEmpty {
        ContentUnavailableView(
          "No Wishes", systemImage: "heart", description: Text("Films that you want to see appear here."))
      } else {
        List {
          ForEach(props.films, id: \.self) { id in WishRow(id: id) }
            .onDelete { rows in props.onRemove(rows.map { props.films[$0] }) }
        }
      }
    }
    .navigationTitle("Wishes")
    .modifier(UndoToolbar())
  }
}

/// The row of a film, which is fetched if the cache does not contain it.
struct WishRow: View {
  @ObservedQuery private var film: QueryState<Film>

  init(id: Int) {
    _film = ObservedQuery(FilmByID(id: id))
  }

  var body: some View {
    Loaded(film, retry: $film.refetch) { film in FilmRow(film: film) }
  }
}

/// Buttons that undo and redo changes of the wish list.
struct UndoToolbar: ConnectableViewModifier {
  struct Props: Equatable {
    let status: UndoStatus
    @ActionBinding var onUndo: @MainActor () -> Void
    @ActionBinding var onRedo: @MainActor () -> Void
  }

  func map(state: AppState, binder: ActionBinder) -> Props? {
    Props(
      status: state.undo, onUndo: binder.bind(HistoryAction.undo), onRedo: binder.bind(HistoryAction.redo))
  }

  func body(props: Props, content: Content) -> some View {
    content.toolbar {
      ToolbarItemGroup(placement: .primaryAction) {
        Button("Undo", systemImage: "arrow.uturn.backward", action: props.onUndo)
          .disabled(!props.status.canUndo)
        Button("Redo", systemImage: "arrow.uturn.forward", action: props.onRedo)
          .disabled(!props.status.canRedo)
      }
    }
  }
}
