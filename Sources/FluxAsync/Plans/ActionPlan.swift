public import FluxCore

/// An action that does what a closure says, with the store at hand: dispatch several actions, wait for something, or send
/// what a stream brings.
///
/// ```swift
/// let reset = ActionPlan<AppState> { store in
///   store.dispatch(ClearList())
///   store.dispatch(ShowList())
/// }
///
/// let query = ActionPlan<AppState> { store in
///   for await filter in store.values(of: \.filter).debounced(for: .milliseconds(300)) {
///     store.dispatch(SetTodos(try await service.todos(filter)))
///   }
/// }
///
/// let track = ActionPlan<AppState>(streaming: { store in locations.map { SetLocation($0) } })
/// ```
///
/// A plan that does not wait runs on the thread that dispatched, once the plan itself is reduced, before `dispatch`
/// returns. Others run in a task, which is cancelled with the store, with the dispatch it belongs to, by its
/// ``policy(_:)``, and by ``CancelWork``; what such a plan dispatches once it is cancelled goes nowhere. What a plan throws is
/// told as a ``TaskAction``'s is.
///
/// The store that a plan is given does not keep the store alive. Plans that are made at one place in the code are of one kind
/// for their policies, unless those are keyed. The idea is SwiftDux's.
public struct ActionPlan<State: Sendable>: WorkAction {
  private enum Body: Sendable {
    case atOnce(@Sendable (StoreProxy<State>) throws -> Void)
    case callback(PlanCallback<State>.Body)
    case task(@Sendable (StoreProxy<State>) async throws -> Void)
  }

  private let body: Body
  private let origin: String
  private var name: String?
  /// What becomes of the plan's work beside other work, when it takes long, and when it fails.
  public private(set) var policy = WorkPolicy.every

  /// Creates a plan that does not wait.
  ///
  /// - Parameters:
  ///   - file: Where the plan is made, for logs.
  ///   - line: Where the plan is made, for logs.
  ///   - body: What to do, on the thread that dispatches.
  public init(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (StoreProxy<State>) throws -> Void
  ) {
    self.body = .atOnce(body)
    origin = "\(file):\(line)"
  }

  /// Creates a plan that waits.
  ///
  /// - Parameters:
  ///   - file: Where the plan is made, for logs.
  ///   - line: Where the plan is made, for logs.
  ///   - body: What to do, in a task of its own.
  public init(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (StoreProxy<State>) async throws -> Void
  ) {
    self.body = .task(body)
    origin = "\(file):\(line)"
  }

  /// Creates a plan that ends when a callback is called.
  ///
  /// The body runs on the thread that dispatched, before `dispatch` returns, unless the policy holds the plan, retries it,
  /// or limits its time: then the body runs in the plan's task. If the body calls `completed` before it returns, and all that it started is done, the plan has
  /// ended by then.
  ///
  /// - Parameters:
  ///   - file: The file that creates the plan, for logs.
  ///   - line: The line that creates the plan, for logs.
  ///   - body: Starts the plan, and returns a token that ends it early, or `nil`. The plan keeps the token until
  ///     `completed` is called, and cancels the token when the plan is cancelled.
  public init(
    file: StaticString = #fileID, line: UInt = #line,
    _ body:
      @escaping @Sendable (
        _ store: StoreProxy<State>, _ completed: @escaping @Sendable () -> Void
      ) -> SubscriptionToken?
  ) {
    self.body = .callback(body)
    origin = "\(file):\(line)"
  }

  /// Creates a plan that sends the actions of a sequence, one after another, without waiting.
  ///
  /// All actions are dispatched before `dispatch` returns. The plan asks the sequence for the next action when the one
  /// before is reduced, so a lazy sequence sees its effect. A plan that is cancelled on the way sends no more actions.
  ///
  /// - Parameters:
  ///   - file: The file that creates the plan, for logs.
  ///   - line: The line that creates the plan, for logs.
  ///   - makeActions: Returns the sequence, on the thread that dispatches.
  public init<Actions: Sequence & SendableMetatype>(
    file: StaticString = #fileID, line: UInt = #line,
    sending makeActions: @escaping @Sendable (StoreProxy<State>) -> Actions
  ) where Actions.Element: Action, Actions.Iterator: SendableMetatype {
    self.init(file: file, line: line) { store in
      for action in makeActions(store) {
        guard EffectScope.current?.hasEnded != true else { return }
        store.dispatch(action)
      }
    }
  }

  /// Creates a plan that sends the actions of a sequence, of any types, one after another, without waiting.
  ///
  /// All actions are dispatched before `dispatch` returns. The plan asks the sequence for the next action when the one
  /// before is reduced, so a lazy sequence sees its effect. A plan that is cancelled on the way sends no more actions.
  ///
  /// - Parameters:
  ///   - file: The file that creates the plan, for logs.
  ///   - line: The line that creates the plan, for logs.
  ///   - makeActions: Returns the sequence, on the thread that dispatches.
  public init<Actions: Sequence & SendableMetatype>(
    file: StaticString = #fileID, line: UInt = #line,
    sending makeActions: @escaping @Sendable (StoreProxy<State>) -> Actions
  ) where Actions.Element == any Action, Actions.Iterator: SendableMetatype {
    self.init(file: file, line: line) { store in
      for action in makeActions(store) {
        guard EffectScope.current?.hasEnded != true else { return }
        store.dispatch(action)
      }
    }
  }

  /// Creates a plan that sends the actions of a stream, one after another.
  ///
  /// - Parameters:
  ///   - file: Where the plan is made, for logs.
  ///   - line: Where the plan is made, for logs.
  ///   - makeActions: Makes the stream, in the plan's task.
  @_disfavoredOverload
  public init<Actions: AsyncSequence & SendableMetatype>(
    file: StaticString = #fileID, line: UInt = #line,
    streaming makeActions: @escaping @Sendable (StoreProxy<State>) -> Actions
  ) where Actions.Element: Action, Actions.AsyncIterator: SendableMetatype {
    self.init(file: file, line: line) { store in
      for try await action in makeActions(store) { store.dispatch(action) }
    }
  }

  /// Creates a plan that dispatches the actions of a stream, which may have different types, one after another.
  ///
  /// If the stream's type does not name its elements (`AsyncStream { continuation in … }`), the elements are
  /// `any Action`.
  ///
  /// - Parameters:
  ///   - file: Where the plan is made, for logs.
  ///   - line: Where the plan is made, for logs.
  ///   - makeActions: Makes the stream, in the plan's task.
  public init<Actions: AsyncSequence & SendableMetatype>(
    file: StaticString = #fileID, line: UInt = #line,
    streaming makeActions: @escaping @Sendable (StoreProxy<State>) -> Actions
  ) where Actions.Element == any Action, Actions.AsyncIterator: SendableMetatype {
    self.init(file: file, line: line) { store in
      for try await action in makeActions(store) { store.dispatch(action) }
    }
  }

  /// The same plan, with a policy for its work.
  ///
  /// A plan that does not wait has no use for one.
  public func policy(_ policy: WorkPolicy) -> ActionPlan {
    var copy = self
    copy.policy = policy
    return copy
  }

  /// The same plan, with a name for logs in place of where it was made.
  public func named(_ name: String) -> ActionPlan {
    var copy = self
    copy.name = name
    return copy
  }

  /// Prepares the plan, and returns a closure that carries it out.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    switch body {
    case .atOnce(let body):
      let dispatch = context.guardedDispatch
      return {
        guard EffectScope.current?.hasEnded != true else { return }
        do {
          if let store = try store(in: context, dispatch: dispatch) { try body(store) }
        } catch {
          context.settings.report(error, of: self, dispatch: context.dispatch)
        }
      }
    case .callback(let body):
      return context.start(
        self, policy: policy, knownBy: origin, callbackSteps(body, dispatch: context.dispatch, in: context))
    case .task(let body):
      return context.start(
        self, policy: policy, knownBy: origin,
        WorkSteps { work, environment in
          let dispatch = environment.context.dispatch
          try await environment.runWithinPolicy(work) { attempt in
            let guarded: DispatchFunction = { attempt.dispatch($0, by: dispatch) }
            if let store = try store(in: environment.context, dispatch: guarded) { try await body(store) }
          }
        })
    }
  }

  /// The steps of a plan with a callback, which begins at once unless its policy retries it or limits its time.
  private func callbackSteps(
    _ body: @escaping PlanCallback<State>.Body, dispatch: @escaping DispatchFunction,
    in context: ActionContext
  ) -> WorkSteps {
    let begun = Locked<PlanCallback<State>?>(nil)
    // An attempt that may be given up or repeated is an attempt of the task.
    let mayEndTries = (context.settings.policy(for: self) ?? policy).mayEndTries
    return WorkSteps(
      begin: { work, _ in
        if mayEndTries { return true }
        let scope = EffectScope(within: work.scope)
        let attempt = Attempt(1, after: nil, in: scope)
        let store = try? store(in: context) { attempt.dispatch($0, by: dispatch) }
        // The task throws the error of a store with another state.
        guard let store else { return true }
        let callback = EffectScope.$current.withValue(scope) { PlanCallback(body, store, attempt) }
        if callback.isOver, work.scope.count == 0 {
          callback.end()
          return false
        }
        _ = begun.exchange(callback)
        return true
      },
      // The work may be cancelled before its task takes the attempt.
      ended: { begun.exchange(nil)?.end() },
      run: { work, environment in
        try await environment.runWithinPolicy(work) { attempt in
          if let callback = begun.exchange(nil) { return await callback.wait() }
          let store = try store(in: environment.context) { attempt.dispatch($0, by: dispatch) }
          if let store { await PlanCallback(body, store, attempt).wait() }
        }
      })
  }

  /// The store for the plan; `nil` if it has gone.
  private func store(
    in context: ActionContext, dispatch: @escaping DispatchFunction
  ) throws(WorkError) -> StoreProxy<State>? {
    guard let store = context.store(of: State.self) else {
      if context.state == nil { return nil }
      throw .otherState(State.self, of: self)
    }
    return store.dispatching(by: dispatch)
  }
}

extension ActionPlan: CustomStringConvertible {
  /// The plan's name, or where it was made.
  public var description: String { "ActionPlan(\(name ?? origin))" }
}
