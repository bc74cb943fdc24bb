import FluxAsync
import FluxCore
import TestSupport
import Testing

// The results of a request, the values that accompany them, and its cancellation from outside.

/// The common types of all requests of an app: its state, and one error type to which all others
/// are converted.
private protocol AppRequest: AsyncRequest where State == Actions, Failure == Refusal {
  associatedtype Value

  func ask() async throws -> Value
}

extension AppRequest {
  func perform(in context: RequestContext<Actions>) async throws(Refusal) -> Value {
    do {
      return try await ask()
    } catch {
      throw Refusal(code: 500, message: "\(error)")
    }
  }
}

private struct AppAsk: AppRequest {
  let answer: @Sendable () async throws -> String

  func ask() async throws -> String { try await answer() }
}

extension CreateAsyncThunkTests {
  @Test(
    "a request can convert an error before the error is sent",
    .differs(
      29,
      because: """
        In Redux Toolkit, an option converts errors. In Flux, the request itself catches errors, and \
        can throw errors of its own type.
        """
    ))
  func translated() async {
    let request = Submit { () throws(Refusal) in
      do { throw Service.Trouble() } catch { throw Refusal(message: "\(error)") }
    }
    #expect(await store.request(request).result == .failure(.failed(Refusal(message: "trouble"))))
    #expect(store.state.of(Submit.Rejected.self).map(\.failure) == [.failed(Refusal(message: "trouble"))])
  }

  // MARK: Its value

  @Test("the value of a fulfilled request is its answer", .holds(30))
  func value() async throws {
    #expect(try await store.request(Ask { _ in "fulfilled" }).value == "fulfilled")
  }

  @Test("the value of a failed request throws the error that its rejected action contains", .holds(31))
  func valueOfFailed() async {
    let request = store.request(Submit { () throws(Refusal) in throw Refusal() })
    await #expect(throws: RequestFailure.failed(Refusal())) { try await request.value }
    #expect(store.state.of(Submit.Rejected.self).map(\.failure) == [.failed(Refusal())])
  }

  @Test(
    "the value of a request that refuses throws a failure that contains the refusal",
    .differs(
      32,
      because: """
        Redux Toolkit throws the refusal itself. Flux throws a failure, whose type also covers other \
        outcomes, such as a timeout.
        """)
  )
  func valueOfRefused() async throws {
    let refusal = Refusal(fields: ["name"])
    do {
      _ = try await store.request(Submit { () throws(Refusal) in throw refusal }).value
      Issue.record("It was refused.")
    } catch .failed(let error) {
      #expect(error == refusal)
    } catch {
      throw error
    }
  }

  // MARK: Its id

  @Test(
    "a store numbers its requests, and the numbers are their ids",
    .differs(
      33,
      because: """
        In Redux Toolkit, ids are random unless an option generates them. In Flux, ids are consecutive \
        numbers, so that they are the same in each run of a test.
        """
    ))
  func ids() async throws {
    for store in [actionStore(), actionStore()] {
      for number in 1...3 {
        let request = store.request(Ask { context in context.id })
        #expect(request.id == RequestID(rawValue: UInt64(number)))
        #expect(try await request.value == request.id)
      }
      #expect(store.state.of(Ask<RequestID>.Fulfilled.self).map(\.id.rawValue) == [1, 2, 3])
    }
  }

  @Test(
    "requests with the same fields have different ids",
    .differs(
      34,
      because: """
        In Redux Toolkit, an option can derive the id from the argument. In Flux, each request has a \
        different id, regardless of its fields.
        """
    ))
  func idsOfSame() {
    let ids = [1, 1, 1].map { argument in store.request(Ask(argument: argument) { _ in 0 }).id }
    #expect(Swift.Set(ids).count == 3)
  }

  // MARK: Accompanying values

  @Test(
    "information for the pending action is a field of the request",
    .differs(
      36,
      because: """
        In Redux Toolkit, an option generates metadata. In Flux, each action of a request contains the \
        request.
        """))
  func pendingFields() async {
    struct Tagged: AsyncRequest {
      let argument: String
      var extra: String { "\(argument), extra" }

      func perform(in context: RequestContext<Actions>) async {}
    }
    let request = store.request(Tagged(argument: "a"))
    #expect(store.state.of(Tagged.Pending.self).map(\.request.extra) == ["a, extra"])
    #expect(store.state.of(Tagged.Pending.self).map(\.id) == [request.id])
    _ = await request.result
  }

  @Test(
    "information for the fulfilled action is a part of the answer",
    .differs(
      37,
      because: """
        In Redux Toolkit, the information is metadata in addition to the value. In Flux, the value can \
        have any type.
        """))
  func answerWithMore() async throws {
    struct Page: Equatable {
      let text: String
      let extra: String
    }
    let page = Page(text: "hooray", extra: "bar")
    #expect(try await store.request(Ask(argument: 3) { _ in page }).value == page)
    let fulfilled = store.state.of(Ask<Page>.Fulfilled.self)
    #expect(fulfilled.map(\.value) == [page])
    #expect(fulfilled.map(\.request.argument) == [3])
  }

  @Test(
    "information for the rejected action is a part of the refusal, and is missing after an abort",
    .differs(
      38,
      because: """
        In Redux Toolkit, the information is metadata in addition to the value. In Flux, the error can \
        have any type.
        """))
  func refusalWithMore() async {
    let refusal = Refusal(message: "damn", fields: ["baz"])
    _ = await store.request(Submit { () throws(Refusal) in throw refusal }).result
    let aborted = store.request(
      Submit { [service] () throws(Refusal) in
        do { return try await service.call("a") } catch { throw refusal }
      })
    aborted.abort()
    _ = await aborted.result
    #expect(store.state.of(Submit.Rejected.self).map(\.failure) == [.failed(refusal), .aborted(reason: nil)])
    await store.effects.finished()
  }

  // MARK: Requests of one app

  @Test("the types that all requests of an app share are written once", .holds(39))
  func commonTypes() async throws {
    let request: some AppRequest = AppAsk { "b" }
    _ = await store.request(request).result
    #expect(store.state.stages == [.pending, .fulfilled])
    #expect(store.state.of(AppAsk.Fulfilled.self).map(\.value) == ["b"])
  }

  @Test("the conversion of errors that all requests of an app share is written once", .holds(40))
  func commonErrors() async {
    let request = store.request(AppAsk { throw Service.Trouble() })
    #expect(await request.result == .failure(.failed(Refusal(code: 500, message: "trouble"))))
  }

  // MARK: Cancellation from outside

  /// Waits for a request in a task that is canceled, either after the work has begun or before it
  /// is sent.
  private func cancelled(before: Bool) async -> String? {
    let waiter = Task { [store, service] in
      if before { withUnsafeCurrentTask { $0?.cancel() } }
      return await store.request(Ask { _ in try await service.call("a") }).failure
    }
    if !before {
      await service.calls.count(atLeast: 1)
      waiter.cancel()
    }
    return await waiter.value
  }

  @Test(
    "a request is aborted when the task that waits for it is canceled",
    .differs(
      41,
      because: """
        In Redux Toolkit, the caller passes an abort signal. In Flux, the cancellation of the waiting \
        task cancels the request.
        """)
  )
  func cancelledTask() async {
    #expect(await cancelled(before: false) == "aborted: all tasks that awaited the request were canceled")
    #expect(service.cancelled.values == ["a"])
    await store.effects.finished()
  }

  @Test(
    "a request that a canceled task makes is not sent, and sends no actions",
    .differs(
      42,
      because: """
        Redux Toolkit sends a rejected action, although the request was never pending. Flux sends a \
        rejected action only after a pending action, and reports this failure only to the caller.
        """))
  func cancelledBefore() async {
    #expect(await cancelled(before: true) == "aborted: the task that dispatched the request was canceled")
    #expect(store.state.all.isEmpty)
  }

  @Test(
    "a canceled task that makes a request receives an abort error, and nothing is performed", .holds(43))
  func cancelledBeforeIsTold() async {
    #expect(await cancelled(before: true)?.hasPrefix("aborted") == true)
    #expect(service.calls.values.isEmpty)
    await store.effects.finished()
  }
}
