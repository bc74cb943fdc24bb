import FluxAsync
import FluxCollections
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Mutations: states of tracked mutations", .unlessItHangs)
struct MutationStateTests {
  private let world = World()
  private let failure = QueryFailure(.failed, cause: Service.Trouble())

  private func state(of id: MutationID = "save") -> MutationState<String> {
    world.cache.state(of: id, Change.self)
  }

  @Test("an observer of a part of a mutation's state is called when the part has changed")
  func part() async {
    let answers = Recorder<String?>()
    let token = world.store.subscribe(to: { $0.queries.state(of: "save", Change.self).data }) {
      answers.record($0)
    }
    for answer in ["1", "2"] {
      world.store.mutate(Change(name: "change"), as: "save")
      await world.answer("change", answer)
    }
    #expect(answers.values == [nil, "1", nil, "2"])
    withExtendedLifetime(token) {}
  }

  @Test("an entry contains its newest mutation, during the request and after it")
  func mutation() async {
    for name in ["first", "second"] {
      world.store.mutate(Change(name: name), as: "save")
      #expect((world.cache.mutations[id: "save"]?.mutation as? Change)?.name == name)
      #expect(state().isLoading)
      await world.answer(name, "done")
      #expect((world.cache.mutations[id: "save"]?.mutation as? Change)?.name == name)
      #expect(state().data == "done")
    }
  }

  @Test("mutations with different names have different states, and a reset affects only its own name")
  func names() async {
    world.store.mutate(Change(name: "first"), as: "save")
    world.store.mutate(Change(name: "second"), as: "send")
    world.service.answer("first", with: .success("1"))
    await world.answer("second", "2")
    #expect(state(of: "save").data == "1")
    #expect(state(of: "send").data == "2")
    world.store.dispatch(ResetMutation("save"))
    #expect(state(of: "save").isUninitialized)
    #expect(state(of: "send").data == "2")
  }

  @Test("the newest outcome replaces the earlier one, and the caller receives what the state contains")
  func outcomes() async {
    for succeeds in [false, true, false] {
      world.service.answer("change", with: succeeds ? .success("done") : .failure(Service.Trouble()))
      let result = await world.store.mutate(Change(name: "change"), as: "save").result
      #expect(result == (succeeds ? .success("done") : .failure(failure)))
      #expect(state() == (succeeds ? MutationState(data: "done") : MutationState(error: failure)))
    }
  }

  @Test("the value of a mutation that fails throws the failure, with its cause")
  func value() async {
    world.service.fail("change")
    await #expect(throws: failure) { try await world.store.mutate(Change(name: "change")).value }
  }
}
