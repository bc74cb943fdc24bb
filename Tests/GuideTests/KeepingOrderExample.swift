// The declarations of KeepingOrder.md, which `KeepingOrderTests` compares with the page word for
// word.
import Flux
import Foundation

struct Track: Equatable, Identifiable, Codable, Sendable {
  var id: String
  var title: String
  var plays = 0
}

struct Player: FluxState, Equatable, Codable {
  var queue = OrderedState<Track>()
  var library = OrderedState<Track>()
}

struct Enqueue: Action { let track: Track }
struct PlayNext: Action { let track: Track }
struct Rename: Action { let id: Track.ID, title: String }
struct Played: Action { let id: Track.ID }
struct MoveTracks: Action { let positions: IndexSet, destination: Int }
struct RemoveTracks: Action { let positions: IndexSet }

let queueReducer = ActionHandlers<Player> {
  on(Enqueue.self) { player, action in player.queue.append(action.track) }
  on(PlayNext.self) { player, action in player.queue.prepend(action.track) }
  on(Rename.self) { player, action in player.queue[action.id]?.title = action.title }
  on(Played.self) { player, action in player.queue.update(action.id) { $0.plays += 1 } }
  on(MoveTracks.self) { player, action in
    player.queue.move(from: action.positions, to: action.destination)
  }
  on(RemoveTracks.self) { player, action in player.queue.remove(at: action.positions) }
}

struct TracksCame: Action { let tracks: [Track] }

let byTitle = EntityAdapter<Track>(sortedBy: { $0.title < $1.title })

let shelfReducer: ActionHandlers<Player> = on(TracksCame.self) { player, action in
  byTitle.upsert(contentsOf: action.tracks, in: &player.library) { known, new in
    known.title = new.title
  }
}
