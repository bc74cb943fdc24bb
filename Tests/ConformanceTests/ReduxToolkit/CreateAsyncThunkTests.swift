import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite(
  "Redux Toolkit: createAsyncThunk",
  .cases(
    of: "reduxjs/redux-toolkit", "packages/toolkit/src/tests/createAsyncThunk.test.ts", at: "74200d87",
    count: 43),
  .unlessItHangs)
struct CreateAsyncThunkTests {
  let store = actionStore()
  let service = Service()

  @Test("each stage of a request has its own action type", .holds(1))
  func types() async {
    #expect(Ask<Int>.Pending.self == RequestPending<Ask<Int>>.self)
    #expect(Ask<Int>.Fulfilled.self == RequestFulfilled<Ask<Int>>.self)
    #expect(Ask<Int>.Rejected.self == RequestRejected<Ask<Int>>.self)
    #expect(Ask<Int>.Pending.self != Ask<String>.Pending.self)
    let heard = Recorder<String>()
    let store = Store(
      reducer: combine(
        on(Ask<Int>.Pending.self) { (_: inout Actions, _) in heard.record("pending") },
        on(Ask<Int>.Fulfilled.self) { (_: inout Actions, _) in heard.record("fulfilled") },
        on(Ask<Int>.Rejected.self) { (_: inout Actions, _) in heard.record("rejected") },
        on(Ask<String>.Pending.self) { (_: inout Actions, _) in heard.record("another's") }),
      state: Actions())
    _ = await store.request(Ask { _ in 1 }).result
    _ = await store.request(Ask<Int> { _ in throw Refusal() }).result
    #expect(heard.values == ["pending", "fulfilled", "pending", "rejected"])
  }

  @Test(
    "the actions of a request are named after its type",
    .differs(
      2,
      because: """
        Redux Toolkit uses a prefix. In Flux, the type is already a name, and the compiler ensures that \
        it is unique.
        """)
  )
  func names() {
    let pending = Submit.Pending(Submit { () throws(Refusal) in "a" }, id: RequestID(rawValue: 1))
    #expect("\(pending)".hasPrefix("Submit.Pending(#1 "))
  }

  @Test("each action of a request indicates whether the request is settled", .holds(3))
  func settled() {
    let (ask, id) = (Ask { _ in 42 }, RequestID(rawValue: 1))
    let events: [any RequestEvent] = [
      Ask.Pending(ask, id: id), Ask.Rejected(ask, id: id, failure: .unwanted),
      Ask.Fulfilled(ask, id: id, value: 42),
    ]
    #expect(events.map(\.stage.isSettled) == [false, true, true])
  }

  @Test(
    "a request without fields is reduced itself, then pending, and then fulfilled",
    .differs(
      4,
      because: """
        In Redux Toolkit, the thunk does not reach the reducer. In Flux, a request is an action, and the \
        reducer receives it.
        """))
  func withoutFields() async throws {
    struct Plain: AsyncRequest {
      func perform(in context: RequestContext<Actions>) async -> Int { 42 }
    }
    #expect(try await store.request(Plain()).value == 42)
    #expect(store.state.all.map { $0 is Plain } == [true, false, false])
    #expect(store.state.stages == [.pending, .fulfilled])
  }

  @Test("the action of a fulfilled request contains the request, its id, and its answer", .holds(5))
  func resolved() async throws {
    let performed = Recorder<RequestID>()
    let request = store.request(
      Ask(argument: 123) { context in
        performed.record(context.id)
        return 42
      })
    #expect(try await request.value == 42)
    let pending = try #require(store.state.of(Ask<Int>.Pending.self).first)
    let fulfilled = try #require(store.state.of(Ask<Int>.Fulfilled.self).first)
    #expect([pending.id, fulfilled.id] == performed.values + performed.values)
    #expect(request.id == pending.id)
    #expect((pending.request.argument, fulfilled.request.argument, fulfilled.value) == (123, 123, 42))
  }

  @Test("the action of a failed request contains the request, its id, and its error", .holds(6))
  func rejected() async throws {
    let request = store.request(Ask<Int>(argument: 123) { _ in throw Refusal() })
    _ = await request.result
    #expect(store.state.stages == [.pending, .rejected])
    let rejected = try #require(store.state.of(Ask<Int>.Rejected.self).first)
    #expect(rejected.id == request.id)
    #expect(rejected.request.argument == 123)
    #expect(try error(of: rejected) as? Refusal == Refusal())
  }

  @Test(
    "a rejected action contains the whole error, whatever its type",
    .differs(
      7,
      because: """
        Redux Toolkit makes the error serializable, and removes unknown fields. Flux keeps the error as a \
        value.
        """)
  )
  func oddError() async throws {
    struct Odd: Error, Equatable {
      var why = "like this"
    }
    _ = await store.request(Ask<Int> { _ in throw Odd() }).result
    let rejected = try #require(store.state.of(Ask<Int>.Rejected.self).first)
    #expect(try error(of: rejected) as? Odd == Odd())
  }

  @Test(
    "a reducer can read the fields of the error in a rejected action",
    .differs(
      8,
      because: """
        Redux Toolkit keeps only the known fields. Flux keeps all fields, because it keeps the type of \
        the error.
        """))
  func fieldsOfError() async throws {
    let refusal = Refusal(code: 404, message: "not found")
    _ = await store.request(Submit { () throws(Refusal) in throw refusal }).result
    let failure = try #require(store.state.of(Submit.Rejected.self).first).failure
    guard case .failed(let error) = failure else { throw Unexpected(failure) }
    #expect((error.code, error.message) == (404, "not found"))
  }

  @Test(
    "a returned value is an answer, even if it describes a refusal",
    .differs(
      9,
      because: """
        In Redux Toolkit, a request can return a refusal in a wrapper. In Flux, a request refuses by \
        throwing an error.
        """))
  func returnedRefusal() async throws {
    let request = Ask<Result<Int, Refusal>> { _ in .failure(Refusal()) }
    #expect(try await store.request(request).value == .failure(Refusal()))
    #expect(store.state.stages == [.pending, .fulfilled])
  }

  @Test("a request that refuses by throwing sends the thrown value", .holds(10))
  func thrownRefusal() async {
    let refusal = Refusal(fields: ["name", "age"])
    let request = store.request(Submit { () throws(Refusal) in throw refusal })
    #expect(await request.result == .failure(.failed(refusal)))
    #expect(store.state.of(Submit.Rejected.self).map(\.failure) == [.failed(refusal)])
  }

  @Test("an error that is not converted to a refusal is sent as it was thrown", .holds(11))
  func rethrown() async throws {
    let request = Ask<Int> { _ in
      do {
        throw Service.Trouble()
      } catch let error as CancellationError {
        throw Refusal(message: "\(error)")
      }
    }
    _ = await store.request(request).result
    let rejected = try #require(store.state.of(Ask<Int>.Rejected.self).first)
    #expect(try error(of: rejected) as? Service.Trouble == Service.Trouble())
  }

  // MARK: Aborting

  @Test("a request that is not aborted is pending and then fulfilled", .holds(12))
  func normal() async {
    service.answer("a")
    _ = await store.request(asking()).result
    #expect(store.state.stages == [.pending, .fulfilled])
  }

  @Test("an aborted request is rejected with the reason, which its caller receives, too", .holds(13))
  func aborted() async {
    let request = store.request(asking())
    request.abort("enough")
    #expect(store.state.stages == [.pending, .rejected])
    #expect(store.state.of(Ask<String>.Rejected.self).map { "\($0.failure)" } == ["aborted: enough"])
    #expect(await request.failure == "aborted: enough")
    await #expect(throws: RequestFailure<any Error>.self) { try await request.value }
    await store.effects.finished()
  }

  @Test("an aborted request sends no further actions, although its work continues to its end", .holds(14))
  func heedless() async {
    let slow = Service(heedsCancellation: false)
    let request = store.request(Ask { _ in try await slow.call("a") })
    await slow.calls.count(atLeast: 1)
    request.abort("enough")
    slow.answer("a")
    await store.effects.finished()
    #expect(store.state.stages == [.pending, .rejected])
    #expect(await request.failure == "aborted: enough")
  }

  @Test("the caller of an aborted request does not wait for its work", .holds(15))
  func abortedAtOnce() async {
    let slow = Service(heedsCancellation: false)
    let isOver = Shared(false)
    let request = store.request(
      Ask { _ in
        defer { isOver.value = true }
        return try await slow.call("a")
      })
    await slow.calls.count(atLeast: 1)
    request.abort()
    let told = EventLog<String?>()
    let waiting = Task { told.record(await request.failure) }
    await told.count(atLeast: 1)
    #expect(told.values == ["aborted"])
    #expect(!isOver.value)
    slow.answer("a")
    await waiting.value
    await store.effects.finished()
    #expect(isOver.value)
  }

  // MARK: Its fields

  @Test("the fields of a request need not be codable, and no development check reports them", .holds(17))
  func uncodable() async {
    let problems = Recorder<String>()
    let store = actionStore(
      .developmentChecks(clock: ManualClock(), evenInRelease: true) { problems.record("\($0)") })
    _ = await store.request(Ask { _ in 42 }).result
    #expect(problems.values.isEmpty)
    #expect(store.state.stages == [.pending, .fulfilled])
  }

  /// A request that waits for an answer of the service.
  func asking() -> Ask<String> {
    Ask { [service] _ in try await service.call("a") }
  }

  /// The error that a request threw.
  func error(of rejected: Ask<Int>.Rejected) throws -> any Error {
    guard case .failed(let error) = rejected.failure else { throw Unexpected(rejected.failure) }
    return error
  }
}

/// Another event than the tested one.
struct Unexpected: Error {
  let found: any Sendable

  init(_ found: any Sendable) {
    self.found = found
  }
}

extension CreateAsyncThunkTests {
  static let meaningless = [
    MeaninglessCase(
      16, "without an `AbortController`, a request fails when it is sent",
      because: "Every Swift platform supports the cancellation of tasks."),
    MeaninglessCase(
      19, "a condition that returns neither true nor false permits the request",
      because: "The answer has the type `Bool`."),
  ]
}
