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

  /// Creates a plan that ends when a callback says so.
  ///
  /// - Parameters:
  ///   - file: Where the plan is made, for logs.
  ///   - line: Where the plan is made, for logs.
  ///   - body: Begins what is to be done, and returns what ends it early, if something does: the token is kept until
  ///     `completed` is called, and cancelled when the plan is.
  public init(
    file: StaticString = #fileID, line: UInt = #line,
    _ body:
      @escaping @Sendable (
        _ store: StoreProxy<State>, _ completed: @escaping @Sendable () -> Void
      ) -> SubscriptionToken?
  ) {
    self.init(file: file, line: line) { store in
      let over = OneShot<Void>()
      let token = body(store) { over.fire(()) }
      await withTaskCancellationHandler {
        await over.wait()
      } onCancel: {
        over.fire(())
      }
      token?.cancel()
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
