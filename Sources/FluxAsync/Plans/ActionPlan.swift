public import FluxCore

/// An action that runs a closure with a proxy for the store.
///
/// A plan can dispatch several actions, await asynchronous code, or dispatch the actions of a
/// stream.
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
/// A plan with a synchronous closure runs on the thread that dispatched the plan, after the plan
/// itself is reduced and before `dispatch` returns. A plan with an asynchronous closure runs in
/// a task. The task of a plan is canceled when the store is released, and when the dispatch that
/// the plan belongs to is canceled. The plan's ``policy(_:)`` and ``CancelWork`` can also cancel
/// the task. Actions that a canceled plan dispatches are dropped. An error that a plan throws is
/// reported like an error of a ``TaskAction``.
///
/// The proxy that the closure receives does not keep the store alive. Policies treat plans that
/// are created on the same line of code as work of the same kind, unless the policy has a key.
/// The design of plans comes from SwiftDux.
public struct ActionPlan<State: Sendable>: WorkAction {
  /// The body and the name of the plan, without the type of the state.
  @usableFromInline let contents: PlanContents

  /// The policy for the work of the plan.
  public var policy: WorkPolicy { contents.policy }

  @usableFromInline
  init(_ body: PlanContents.Body, _ file: StaticString, _ line: UInt) {
    self.init(PlanContents(body, of: Self.self, from: "\(file):\(line)") { ActionPlan($0) })
  }

  private init(_ contents: PlanContents) {
    self.contents = contents
  }

  /// Creates a plan with a synchronous closure.
  ///
  /// - Parameters:
  ///   - file: The file in which the plan is created, for logs.
  ///   - line: The line on which the plan is created, for logs.
  ///   - body: The closure that performs the plan. The closure runs on the thread that
  ///     dispatches the plan.
  @inlinable
  public init(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (StoreProxy<State>) throws -> Void
  ) {
    self.init(
      .atOnce { plan, context, user in
        if let store = try plan.store(of: State.self, in: context, usedBy: user) { try body(store) }
      }, file, line)
  }

  /// Creates a plan with an asynchronous closure.
  ///
  /// - Parameters:
  ///   - file: The file in which the plan is created, for logs.
  ///   - line: The line on which the plan is created, for logs.
  ///   - body: The closure that performs the plan. The closure runs in a task.
  @inlinable
  public init(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (StoreProxy<State>) async throws -> Void
  ) {
    self.init(
      .task { run in
        if let store = try run.store(of: State.self) { try await body(store) }
      }, file, line)
  }

  /// Creates a plan that ends when a callback is called.
  ///
  /// The body runs on the thread that dispatched the plan, before `dispatch` returns. If the
  /// policy delays the plan, retries it, or limits its time, the body runs in the plan's task
  /// instead. If the body calls `completed`, and all work that the body started ends before the
  /// body returns, the plan ends immediately.
  ///
  /// - Parameters:
  ///   - file: The file in which the plan is created, for logs.
  ///   - line: The line on which the plan is created, for logs.
  ///   - body: The closure that starts the plan. The closure returns a token for ending the plan
  ///     early, or `nil`. The plan retains the token until `completed` is called, and cancels the
  ///     token when the plan is canceled.
  public init(
    file: StaticString = #fileID, line: UInt = #line,
    _ body:
      @escaping @Sendable (
        _ store: StoreProxy<State>, _ completed: @escaping @Sendable () -> Void
      ) -> SubscriptionToken?
  ) {
    self.init(
      .callback { run, completed in
        guard let store = try run.store(of: State.self) else { return nil }
        return .some(body(store, completed))
      }, file, line)
  }

  /// Creates a synchronous plan that dispatches the actions of a sequence, one after another.
  ///
  /// All actions of the sequence are dispatched before `dispatch` returns. The plan requests each
  /// action from the sequence after the previous action is reduced, so a lazy sequence can read
  /// the new state. If the plan is canceled, it dispatches no further actions from the sequence.
  ///
  /// - Parameters:
  ///   - file: The file in which the plan is created, for logs.
  ///   - line: The line on which the plan is created, for logs.
  ///   - makeActions: A closure that returns the sequence. The closure runs on the thread that
  ///     dispatches the plan.
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

  /// Creates a synchronous plan that dispatches actions of different types from a sequence, one
  /// after another.
  ///
  /// All actions of the sequence are dispatched before `dispatch` returns. The plan requests each
  /// action from the sequence after the previous action is reduced, so a lazy sequence can read
  /// the new state. If the plan is canceled, it dispatches no further actions from the sequence.
  ///
  /// - Parameters:
  ///   - file: The file in which the plan is created, for logs.
  ///   - line: The line on which the plan is created, for logs.
  ///   - makeActions: A closure that returns the sequence. The closure runs on the thread that
  ///     dispatches the plan.
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

  /// Creates a plan that dispatches the actions of a stream, one after another.
  ///
  /// - Parameters:
  ///   - file: The file in which the plan is created, for logs.
  ///   - line: The line on which the plan is created, for logs.
  ///   - makeActions: A closure that returns the stream. The closure runs in the plan's task.
  @_disfavoredOverload
  public init<Actions: AsyncSequence & SendableMetatype>(
    file: StaticString = #fileID, line: UInt = #line,
    streaming makeActions: @escaping @Sendable (StoreProxy<State>) -> Actions
  ) where Actions.Element: Action, Actions.AsyncIterator: SendableMetatype {
    self.init(file: file, line: line) { store in
      for try await action in makeActions(store) { store.dispatch(action) }
    }
  }

  /// Creates a plan that dispatches actions of different types from a stream, one after
  /// another.
  ///
  /// If the code does not specify the element type of the stream, as in
  /// `AsyncStream { continuation in … }`, the element type is `any Action`.
  ///
  /// - Parameters:
  ///   - file: The file in which the plan is created, for logs.
  ///   - line: The line on which the plan is created, for logs.
  ///   - makeActions: A closure that returns the stream. The closure runs in the plan's task.
  public init<Actions: AsyncSequence & SendableMetatype>(
    file: StaticString = #fileID, line: UInt = #line,
    streaming makeActions: @escaping @Sendable (StoreProxy<State>) -> Actions
  ) where Actions.Element == any Action, Actions.AsyncIterator: SendableMetatype {
    self.init(file: file, line: line) { store in
      for try await action in makeActions(store) { store.dispatch(action) }
    }
  }

  /// Returns the plan with a policy for its work.
  ///
  /// The policy has no effect on a synchronous plan.
  public func policy(_ policy: WorkPolicy) -> ActionPlan {
    ActionPlan(contents.with(policy: policy, name: contents.name))
  }

  /// Returns the plan with a name that logs show instead of the file and the line.
  public func named(_ name: String) -> ActionPlan {
    ActionPlan(contents.with(policy: contents.policy, name: name))
  }

  /// Prepares the plan, and returns a closure that runs the plan.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    contents.start(in: context)
  }
}

extension ActionPlan: CustomStringConvertible {
  /// A description that contains the plan's name, or the file and line in which the plan was
  /// created.
  public var description: String { "ActionPlan(\(contents.shownName))" }
}
