import Flux
import Foundation
import TestSupport
import Testing

@Suite("Sources/FluxCollections/FluxCollections.docc/KeepingOrder.md")
struct KeepingOrderTests {
  private let store = Store(
    reducer: combine(queueReducer, shelfReducer),
    state: Player(queue: [
      Track(id: "a", title: "Aria"), Track(id: "b", title: "Bolero"), Track(id: "c", title: "Chaconne"),
    ]))

  @Test("its reducer inserts, changes, moves, and removes elements")
  func reducing() {
    store.dispatch(Enqueue(track: Track(id: "d", title: "Dance")))
    store.dispatch(PlayNext(track: Track(id: "c", title: "Ciaccona")))
    store.dispatch(Rename(id: "b", title: "Boléro"))
    store.dispatch(Rename(id: "nobody", title: "Nothing"))
    store.dispatch(Played(id: "a"))
    store.dispatch(MoveTracks(positions: [0, 1], destination: 3))
    store.dispatch(RemoveTracks(positions: [3, 7]))
    #expect(
      store.state.queue == [
        Track(id: "b", title: "Boléro"), Track(id: "c", title: "Ciaccona"),
        Track(id: "a", title: "Aria", plays: 1),
      ])
  }

  @Test("inserted elements take the positions that its table describes")
  func comingIn() {
    func after(_ change: (inout OrderedState<Track>, Track) -> Void) -> [String] {
      ["b", "n"].map { id in
        var queue = store.state.queue
        change(&queue, Track(id: id, title: "New"))
        return queue.map { $0.title == "New" ? $0.id.uppercased() : $0.id }.joined()
      }
    }
    #expect(after { $0.append($1) } == ["acB", "abcN"])
    #expect(after { $0.prepend($1) } == ["Bac", "Nabc"])
    #expect(after { $0.insert($1, at: 1) } == ["aBc", "aNbc"])
    #expect(after { $0.add($1) } == ["abc", "abcN"])
    #expect(after { $0.set($1) } == ["aBc", "abcN"])
    #expect(after { $0.upsert($1) } == ["aBc", "abcN"])
    #expect(after { queue, new in queue.update(new.id) { $0.title = new.title } } == ["aBc", "abc"])
    #expect(after { $0.setAll([$1]) } == ["B", "N"])
  }

  @Test("it reads by id, by position, and in order")
  func reading() {
    var lines: [String] = []
    store.dispatch(Played(id: "c"))
    let queue = store.state.queue
    let title = queue["b"]?.title
    let position = queue.position(of: "b")
    let second = queue.element(at: 1)
    for track in queue { lines.append("\(track.title), played \(track.plays) times") }
    #expect(title == "Bolero")
    #expect(position == 1)
    #expect(second?.id == "b")
    #expect(lines.last == "Chaconne, played 1 times")

    let plays = StateSelector(\Player.queue) { queue in queue.reduce(0) { $0 + $1.plays } }
    #expect(plays(store.state) == 1)
    store.dispatch(TracksCame(tracks: []))
    #expect(plays(store.state) == 1)
    #expect(plays.recomputations == 1)
  }

  @Test("it returns the changes, and notifies observers of single elements")
  func changes() {
    let before = store.state.queue
    store.dispatch(Played(id: "b"))
    store.dispatch(MoveTracks(positions: [0], destination: 2))
    let after = store.state.queue
    let changed = after.changedIDs(since: before.stamp)
    let difference = after.difference(from: before)
    #expect(changed == ["b", "a"])
    #expect(difference.updated == ["b"])
    #expect(difference.moved.count == 1)

    let tracks = ElementObservers(of: store) { $0.queue }
    let token = tracks.subscribe(to: "b") { track in print(track?.title ?? "not in the queue") }
    token.cancel()
  }

  @Test("its adapter sorts, and keeps fields that the new entity does not have")
  func sorting() {
    let came = [Track(id: "b", title: "Bolero"), Track(id: "a", title: "Aria")]
    store.dispatch(TracksCame(tracks: came.map { Track(id: $0.id, title: $0.title, plays: 3) }))
    store.dispatch(TracksCame(tracks: [Track(id: "a", title: "Coda"), Track(id: "d", title: "Dance")]))
    #expect(store.state.library.map(\.title) == ["Bolero", "Coda", "Dance"])
    #expect(store.state.library["a"]?.plays == 3)
  }

  @Test("its lists are written as arrays, and read in either form")
  func coding() throws {
    let saved = try JSONEncoder().encode(store.state.queue)
    let restored = try JSONDecoder().decode(OrderedState<Track>.self, from: saved)
    #expect(restored == store.state.queue)

    let web = #"""
      {"ids": ["b", "a"], "entities": {
        "a": {"id": "a", "title": "Aria", "plays": 0}, "b": {"id": "b", "title": "Bolero", "plays": 2}}}
      """#
    let fromWeb = try JSONDecoder().decode(OrderedState<Track>.self, from: Data(web.utf8))
    #expect(fromWeb.map(\.id) == ["b", "a"])
    let dangling = web.replacing(#"["b", "a"]"#, with: #"["b", "a", "c"]"#)
    #expect(throws: OrderedStateError.self) {
      try JSONDecoder().decode(OrderedState<Track>.self, from: Data(dangling.utf8))
    }
  }

  @Test("the adapter has functions with the names of Redux Toolkit")
  func adapterFunctions() {
    let adapter = EntityAdapter<Track>()
    let track = Track(id: "a", title: "Aria")
    let tracks = [Track(id: "b", title: "Bolero"), Track(id: "c", title: "Chaconne")]
    var list: OrderedState<Track> = []
    adapter.add(track, to: &list)  // addOne
    adapter.add(contentsOf: tracks, to: &list)  // addMany
    adapter.set(track, in: &list)  // setOne
    adapter.set(contentsOf: tracks, in: &list)  // setMany
    adapter.setAll(tracks, in: &list)  // setAll
    adapter.update("a", in: &list) { $0.title = "Air" }  // updateOne
    adapter.update(["a", "b"], in: &list) { $0.plays = 0 }  // updateMany
    adapter.upsert(track, in: &list)  // upsertOne
    adapter.upsert(contentsOf: tracks, in: &list)  // upsertMany
    let found = (list["a"], list.ids, list.entities, list.all, list.total)  // selectById, selectIds, …
    adapter.remove("a", from: &list)  // removeOne
    adapter.remove(["b", "c"], from: &list)  // removeMany
    adapter.removeAll(from: &list)  // removeAll
    #expect(found.0 == track)
    #expect(found.1 == ["b", "c", "a"])
    #expect(found.2.keys.sorted() == ["a", "b", "c"])
    #expect(found.3 == tracks + [track])
    #expect(found.4 == 3)
    #expect(list.isEmpty)
  }

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxCollections/FluxCollections.docc/KeepingOrder.md").expectTested(
      in: "Tests/GuideTests/KeepingOrderExample.swift", "Tests/GuideTests/KeepingOrderTests.swift",
      atLeast: 10)
  }
}
