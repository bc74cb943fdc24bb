import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Mutations", .unlessItHangs)
struct MutationTests {
  private let world = World()

  private var title: String? { world.film(7).data?.title }

  private func rename(_ title: String) -> MutationTask<Film> {
    world.store.mutate(Rename(id: 7, title: title))
  }

  // MARK: Requests

  @Test("a mutation can be awaited")
  func awaited() async throws {
    world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    #expect(try await rename("Traffic").value == Film(id: 7, title: "Traffic"))
  }

  @Test("a caller receives the failure of a mutation")
  func failure() async {
    world.service.fail("rename 7 to Traffic")
    #expect(await rename("Traffic").result == .failure(QueryFailure(.failed, cause: Service.Trouble())))
  }

  @Test("a mutation in a store without a cache fails with an error that is also reported")
  func noCache() async {
    let errors = Recorder<String>()
    let store = Store(
      reducer: appReducer,
      plugins: [.asyncWork(onError: { error, action in errors.record("\(action): \(error)") })],
      state: AppState())
    let result = await store.mutate(Change(name: "change")).result
    #expect(result == .failure(QueryFailure(.noCache)))
    #expect(errors.count == 1)
  }

  @Test("mutations run at the same time by default")
  func concurrent() async {
    let first = rename("Traffic")
    let second = rename("Parade")
    #expect(world.cache.pendingRequests == 2)
    world.service.answer("rename 7 to Parade", with: .success("Parade"))
    _ = await second.result
    #expect(world.cache.pendingRequests == 1)
    world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    _ = await first.result
    #expect(world.cache.pendingRequests == 0)
  }

  // MARK: Optimistic edits

  @Test("an optimistic edit is shown at once, and becomes part of the result")
  func optimistic() async {
    await world.load(7, "Playtime")
    let task = rename("Traffic")
    #expect(title == "Traffic")
    world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    _ = await task.result
    #expect(title == "Traffic")
  }

  @Test("a failure removes the edit")
  func undone() async {
    await world.load(7, "Playtime")
    let task = rename("Traffic")
    world.service.fail("rename 7 to Traffic")
    _ = await task.result
    #expect(title == "Playtime")
    #expect(world.film(7).error == nil)
  }

  @Test("an abort removes the edit")
  func aborted() async {
    await world.load(7, "Playtime")
    let task = rename("Traffic")
    task.abort()
    #expect(title == "Playtime")
    #expect(await task.result == .failure(QueryFailure(.aborted)))
  }

  @Test("a failure removes only the edit of its own mutation")
  func twoEdits() async {
    await world.load(7, "Playtime")
    let first = rename("Traffic")
    let second = rename("Parade")
    #expect(title == "Parade")
    world.service.fail("rename 7 to Traffic")
    _ = await first.result
    #expect(title == "Parade")
    world.service.fail("rename 7 to Parade")
    _ = await second.result
    #expect(title == "Playtime")
  }

  @Test("a failure of the later mutation shows the earlier edit again")
  func laterFails() async {
    await world.load(7, "Playtime")
    let first = rename("Traffic")
    let second = rename("Parade")
    world.service.fail("rename 7 to Parade")
    _ = await second.result
    #expect(title == "Traffic")
    world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    _ = await first.result
    #expect(title == "Traffic")
  }

  @Test("an edit stays on top of a refetch that answers meanwhile, and its failure shows the new answer")
  func refetchMeanwhile() async {
    await world.load(7, "Playtime")
    let task = rename("Traffic")
    world.store.prefetch(FilmByID(id: 7), .always)
    world.service.answer("film 7", with: .success("Mon oncle"))
    await world.until { !$0.queries[FilmByID(id: 7)].isFetching }
    #expect(title == "Traffic")
    world.service.fail("rename 7 to Traffic")
    _ = await task.result
    #expect(title == "Mon oncle")
  }

  @Test("an answer whose request began before the mutation succeeded does not undo the mutation")
  func staleAnswer() async {
    await world.load(7, "Playtime")
    world.store.prefetch(FilmByID(id: 7), .always)
    let task = rename("Traffic")
    world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    _ = await task.result
    await world.answer("film 7", "Playtime")
    #expect(title == "Traffic")
    world.store.prefetch(FilmByID(id: 7), .always)
    await world.answer("film 7", "Mon oncle")
    #expect(title == "Mon oncle")
  }

  @Test("a request that fails leaves the confirmed edit")
  func staleFailure() async {
    await world.load(7, "Playtime")
    world.store.prefetch(FilmByID(id: 7), .always)
    let task = rename("Traffic")
    world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    _ = await task.result
    await world.fail("film 7")
    #expect(title == "Traffic")
    world.store.prefetch(FilmByID(id: 7))
    await world.answer("film 7", "Mon oncle")
    #expect(title == "Mon oncle")
  }

  @Test("an edit of an entry without a result is shown when the result arrives")
  func beforeFirstResult() async {
    world.store.prefetch(FilmByID(id: 7))
    let task = rename("Traffic")
    #expect(title == nil)
    world.service.answer("film 7", with: .success("Playtime"))
    await world.until { $0.queries[FilmByID(id: 7)].data != nil }
    #expect(title == "Traffic")
    world.service.fail("rename 7 to Traffic")
    _ = await task.result
    #expect(title == "Playtime")
  }

  @Test("an edit of a query that is not in the cache creates no entry")
  func unknownEntry() async {
    let task = rename("Traffic")
    #expect(world.cache.entries.isEmpty)
    world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    _ = await task.result
    #expect(world.cache.entries.isEmpty)
  }

  @Test("an entry that is removed during a mutation and fetched again shows the edit")
  func removedMeanwhile() async {
    await world.load(7, "Playtime")
    let task = rename("Traffic")
    world.store.dispatch(RemoveQueries(FilmByID(id: 7)))
    #expect(world.cache.entries.isEmpty)
    world.store.prefetch(FilmByID(id: 7))
    world.service.answer("film 7", with: .success("Mon oncle"))
    await world.until { $0.queries[FilmByID(id: 7)].data != nil }
    #expect(title == "Traffic")
    world.service.fail("rename 7 to Traffic")
    _ = await task.result
    #expect(title == "Mon oncle")
  }

  @Test("a mutation that began before a reset changes nothing after it")
  func reset() async {
    await world.load(7, "Playtime")
    let task = world.store.mutate(
      Change(name: "change", answerEdits: [.write(Film(id: 7, title: "old"), to: FilmByID(id: 7))]))
    world.store.dispatch(ResetQueries())
    #expect(world.cache.pendingRequests == 1)
    world.service.answer("change")
    _ = await task.result
    #expect(world.cache.entries.isEmpty)
    #expect(world.cache.pendingRequests == 0)
  }

  // MARK: Answers

  @Test("the answer of a mutation is written into other entries")
  func answerEdits() async {
    await world.load(7, "Playtime")
    let task = world.store.mutate(
      Change(
        name: "change",
        answerEdits: [
          .write(Film(id: 8, title: "Traffic"), to: FilmByID(id: 8)),
          .edit(FilmByID(id: 7)) { $0.title += "!" },
        ]))
    #expect(title == "Playtime")
    world.service.answer("change")
    _ = await task.result
    #expect(title == "Playtime!")
    #expect(world.film(8).data?.title == "Traffic")
    #expect(world.film(8).isSuccess)
  }

  @Test("a written answer provides the tags of its query, and is not out of date")
  func tagsOfAnswer() async {
    await world.load(7, "Playtime")
    world.store.prefetch(FilmByID(id: 9))
    world.store.dispatch(InvalidateTags(.type("Film", id: 7)))
    world.store.mutate(
      Change(
        name: "change",
        answerEdits: [7, 8].map { .write(Film(id: $0, title: "Traffic"), to: FilmByID(id: $0)) }))
    world.service.answer("change")
    await world.until { $0.queries[FilmByID(id: 8)].data != nil }
    #expect(!world.film(7).isInvalidated)
    #expect(world.cache.keys(providing: .type("Film", id: 8)) == [QueryKey(FilmByID(id: 8))])
    let (observer, _) = world.observe(8)
    await world.answer("film 9", "Parade")
    world.store.dispatch(InvalidateTags(.type("Film", id: 8)))
    await world.until { $0.queries[FilmByID(id: 8)].isFetching }
    withExtendedLifetime(observer) {}
  }

  @Test("a mutation that succeeds invalidates its tags, and the refetch waits for other mutations")
  func invalidates() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    let first = world.store.mutate(Change(name: "first", tags: [.type("Film", id: 7)]))
    let second = world.store.mutate(Change(name: "second", tags: [.type("Film", id: 7)]))
    world.service.answer("first")
    _ = await first.result
    await world.until { $0.queries.pendingRequests == 1 }
    #expect(observer.state.isInvalidated && !observer.state.isFetching)
    world.service.answer("second")
    _ = await second.result
    await world.until { $0.queries[FilmByID(id: 7)].isFetching }
    #expect(observer.state.isFetching)
    await world.answer("film 7", "Traffic")
    #expect(world.service.calls.values.filter { $0 == "film 7" }.count == 2)
  }

  @Test("a mutation that fails invalidates the tags that it returns for the failure")
  func failureInvalidates() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    world.store.mutate(Change(name: "change", tags: [.type("Film", id: 7)]))
    await world.fail("change")
    #expect(!observer.state.isInvalidated)
    world.store.mutate(Change(name: "change", tagsOfFailure: [.type("Film", id: 7)]))
    world.service.fail("change")
    await world.until { $0.queries[FilmByID(id: 7)].isFetching }
  }

  // MARK: Tracked mutations

  @Test("a tracked mutation has a state: loading, then the answer")
  func tracked() async {
    let states = Recorder<MutationState<String>>()
    let token = world.store.subscribe(to: { $0.queries.state(of: "save", Change.self) }) { states.record($0) }
    world.store.mutate(Change(name: "change"), as: "save")
    await world.answer("change", "done")
    #expect(states.values == [MutationState(), MutationState(isLoading: true), MutationState(data: "done")])
    #expect(states.values.last?.isSuccess == true)
    withExtendedLifetime(token) {}
  }

  @Test("a tracked mutation that fails has an error")
  func trackedFailure() async {
    world.store.mutate(Change(name: "change"), as: "save")
    await world.fail("change")
    #expect(
      world.cache.state(of: "save", Change.self)
        == MutationState(error: QueryFailure(.failed, cause: Service.Trouble())))
  }

  @Test("of several mutations with a name, the newest determines the state")
  func newestWins() async {
    world.store.mutate(Change(name: "first"), as: "save")
    world.store.mutate(Change(name: "second"), as: "save")
    world.service.answer("first")
    await world.until { $0.queries.pendingRequests == 1 }
    #expect(world.cache.state(of: "save", Change.self).isLoading)
    await world.answer("second", "2")
    #expect(world.cache.state(of: "save", Change.self).data == "2")
  }

  @Test("a name is not confused with a mutation of another type")
  func otherType() async {
    world.store.mutate(Change(name: "change"), as: "save")
    #expect(world.cache.state(of: "save", Rename.self).isUninitialized)
    await world.answer("change", "1")
  }

  @Test("the state of a tracked mutation can be reset")
  func resetTracked() async {
    world.store.mutate(Change(name: "change"), as: "save")
    await world.answer("change", "done")
    world.store.dispatch(ResetMutation("save"))
    #expect(world.cache.state(of: "save", Change.self).isUninitialized)
    #expect(world.cache.mutations.isEmpty)
  }

  @Test("a mutation without a name leaves no state")
  func untracked() async {
    world.store.mutate(Change(name: "change"))
    await world.answer("change", "done")
    #expect(world.cache.mutations.isEmpty)
  }

  // MARK: Manual edits

  @Test("a written result is fresh, and provides tags")
  func write() async {
    world.clock.advance(by: .seconds(3))
    world.store.write(Film(id: 7, title: "Playtime"), to: FilmByID(id: 7))
    #expect(world.film(7).isSuccess)
    #expect(world.film(7).fulfilledAt == .seconds(3))
    #expect(world.cache.keys(providing: .type("Film", id: 7)).count == 1)
    world.store.prefetch(FilmByID(id: 7))
    #expect(!world.film(7).isFetching)
  }

  @Test("a written result is newer than the answer of a running request")
  func writeDuringRequest() async {
    world.store.prefetch(FilmByID(id: 7))
    await world.service.calls.count(atLeast: 1)
    world.store.write(Film(id: 7, title: "written"), to: FilmByID(id: 7))
    #expect(world.cache.pendingRequests == 0)
    await world.service.cancelled.count(atLeast: 1)
    #expect(title == "written")
  }

  @Test("a manual edit can be undone")
  func undo() async {
    await world.load(7, "Playtime")
    let undo = world.store.edit([.edit(FilmByID(id: 7)) { $0.title = "edited" }])
    #expect(title == "edited")
    undo.undo()
    #expect(title == "Playtime")
    undo.undo()
    #expect(title == "Playtime")
  }

  @Test("undoing an edit does not undo a later edit")
  func undoEarlier() async {
    await world.load(7, "Playtime")
    let first = world.store.edit([.edit(FilmByID(id: 7)) { $0.title += "1" }])
    world.store.edit([.edit(FilmByID(id: 7)) { $0.title += "2" }])
    #expect(title == "Playtime12")
    first.undo()
    #expect(title == "Playtime2")
  }

  @Test("a newer result replaces a manual edit, and undoing it has no effect")
  func editReplaced() async {
    await world.load(7, "Playtime")
    let undo = world.store.edit([.edit(FilmByID(id: 7)) { $0.title = "edited" }])
    await world.load(7, "Traffic")
    #expect(title == "Traffic")
    undo.undo()
    #expect(title == "Traffic")
  }

  @Test("an edit that creates an entry removes it from view when it is undone")
  func undoCreation() {
    let undo = world.store.edit([.write(Film(id: 7, title: "new"), to: FilmByID(id: 7))])
    #expect(title == "new")
    undo.undo()
    #expect(title == nil)
  }
}
