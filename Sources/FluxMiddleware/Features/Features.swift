public import FluxCore
import Synchronization

/// An object that attaches features to a running store, and detaches them again.
///
/// ```swift
/// struct AppState: FluxState {
///   var features = FeatureStates()
/// }
///
/// let features = Features(at: \AppState.features)
/// let store = Store(reducer: appReducer, plugins: [features.plugin], state: AppState())
///
/// let attached = features.attach(statistics)
/// attached.store.dispatch(CountVisit())
/// attached.detach(keepingState: true)
/// ```
///
/// **Order.** Attaching and detaching are actions, ``FeatureAttached`` and ``FeatureDetached``.
/// They are reduced in the same serial order as all other actions, and logs and plug-ins receive
/// them. For each action, the reducers of the attached features run in the order in which the
/// features were attached, before the reducer of the store. The middleware of the features
/// follow at the position of the plug-in.
///
/// **Plug-ins.** The plug-ins of a feature are created when its first attachment is made. Their
/// work is canceled when the feature is detached. They observe the transition of
/// ``FeatureAttached``, and all later transitions before the transition of ``FeatureDetached``.
/// Then their `onStoreEnd` closures receive the last state of the feature. The state of the proxy
/// that a plug-in receives is `nil` while the feature is not attached. While a thread creates the
/// plug-ins, another thread that attaches the same feature waits, so the code that creates and
/// starts plug-ins must not wait for that thread. A plug-in that configures the whole store, such
/// as `asyncWork` or the plug-in of a `QuerySlice`, cannot be part of an attached feature.
///
/// **State.** The states of the features are part of the app's state, in ``FeatureStates``. Undo,
/// time travel, and restored states replace the states of the features, but do not change which
/// features are attached. If the new state does not contain a feature that is attached, the feature
/// begins again with the saved state or with its initial state. The feature begins immediately if a
/// history replaces the state, and otherwise at the next action. Put the plug-in after the plug-ins
/// of histories and persistence, so that they record and replace the states of features.
///
/// **Saved actions.** An object that reduces saved actions again in a later run uses the reducer
/// that it was given, which does not contain attached features. A `LoggedHistory` therefore keeps
/// the state after each action that changes the state of an attached feature. A `CrashReport` shows
/// the states of attached features as they were in its last snapshot. A `ReplicaSync` does not
/// reduce its actions with attached features.
///
/// **Several attachments.** A feature can be attached several times, for example by two screens.
/// The feature is detached when its last attachment is detached. Until then, the reducer, the
/// middleware, and the plug-ins of the first attachment are used. A feature that was created by
/// another line of code is a different feature, whose name should not be in use. The problem
/// ``FeatureError/Code/otherFeature`` is reported.
///
/// **Cost.** Before the first feature is attached, the plug-in costs about 125 instructions for
/// each action. After that, an action also costs the reducers of the attached features, as with
/// ``/FluxCore/combine(_:)-(MutatingReducer<State>...)``.
///
/// Use each instance with only one store. The class is safe to use from any thread. The idea comes
/// from `combineSlices` and `createDynamicMiddleware` of Redux Toolkit.
public final class Features<State: FluxState>: Sendable {
  @usableFromInline let substate: Substate<State, FeatureStates>
  @usableFromInline let runs: FeatureRuns
  @usableFromInline let dynamic = DynamicMiddleware<State>()
  private let connection = Locked<StoreProxy<State>?>(nil)

  /// Creates an object for the features of a store that is created later.
  ///
  /// - Parameters:
  ///   - path: The key path of the features' states in the state of the store.
  ///   - onProblem: A closure that receives problems, outside the store's lock. The default
  ///     closure writes to standard error.
  @inlinable
  public init(
    at path: any WritableKeyPath<State, FeatureStates> & Sendable,
    onProblem: @escaping @Sendable (FeatureError) -> Void = { LogSink.standardError.write("Flux: \($0)") }
  ) {
    substate = .keyPath(path)
    runs = FeatureRuns(onProblem: onProblem)
  }

  /// The plug-in that connects the object to a store.
  @inlinable
  public var plugin: Plugin<State> {
    var plugin = Plugin<State>(
      middleware: dynamic.middleware,
      wrapReducer: { [substate, runs] reducer in
        // The reducer of the store can replace the state, for example at a logout. The features are
        // attached again before the next action. In a replay, only the state before the replacement
        // contains the features that were attached at that time.
        let reduceAgain: MutatingReducer<State> = { state, action in
          var before: FeatureStates?
          substate.modify(&state) { states in before = states }
          reducer(&state, action)
          substate.modify(&state) { states in runs.attachAgain(in: &states, asIn: before) }
        }
        // The closure for attached features is separate, so that the other one captures and passes
        // fewer values.
        let reduceWithFeatures: MutatingReducer<State> = { state, action in
          var reduction = FeatureReduction.ofFeaturesOnly
          substate.modify(&state) { states in reduction = runs.reduce(&states, action) }
          switch reduction {
          case .ofFeaturesOnly: break
          case .ofNewAction: reducer(&state, action)
          case .ofRepeatedAction: reduceAgain(&state, action)
          }
        }
        return { state, action in
          if runs.isUsed { reduceWithFeatures(&state, action) } else { reducer(&state, action) }
        }
      })
    plugin.onStoreProxy = { [self] store in connect(to: store) }
    plugin.onStoreEnd = { [substate, runs] last in
      var states: FeatureStates?
      var copy = last
      substate.modify(&copy) { states = $0 }
      runs.end(with: states)
    }
    return plugin
  }

  @usableFromInline
  func connect(to store: StoreProxy<State>) {
    if !runs.connect(to: store.context.scope) { Misuse.featuresOfSecondStore() }
    connection.withLock { $0 = store }
  }

  // MARK: Attaching

  /// Attaches a feature to the store.
  ///
  /// When the method returns, the store has reduced ``FeatureAttached``, unless a middleware or a
  /// locked history dropped the action, or a plug-in defers actions. The feature then receives
  /// every later action. The action decodes a saved state under the store's lock. If a middleware
  /// passes the action on after its dispatch, the feature is not attached. If the feature was
  /// attached before and its state was kept, or if its state was saved, the feature continues with
  /// that state. Discarding the result does not detach the feature.
  ///
  /// If the object is not connected to a store, or if two features with the same name have
  /// different types of state, the program stops with a message. A feature whose state was
  /// discarded no longer determines the type of state for its name.
  ///
  /// - Parameter feature: The feature.
  /// - Returns: The attached feature, with which you can dispatch, subscribe, and detach.
  @discardableResult
  public func attach<Part: FluxState>(_ feature: Feature<Part>) -> AttachedFeature<Part> {
    guard let store = connection.withLock({ $0 }) else { Misuse.featuresWithoutStore(feature.name) }
    // If a reducer has replaced the state, it can lack the feature until the next action.
    let part: @Sendable (State) -> Part = { [substate] in
      substate.value(in: $0)?[feature] ?? feature.initialState
    }
    let run = runs.run(of: feature, within: store.context.scope)
    let code = run.prepare { create(feature, of: run, in: store, reading: part) }
    let action = FeatureAttached(code: code, runs: runs)
    let attachment = FeatureAttachment(action.attachment, of: run)
    runs.add(attachment)
    store.context.dispatching {
      store.dispatch(action)
    } then: { [runs] in
      runs.attachingEnded(attachment)
    }
    return AttachedFeature(feature, attachment, of: runs, in: store) { state in
      attachment.isAttached ? part(state) : nil
    }
  }

  /// Creates the middleware and the plug-ins of a feature, which receive nothing before the feature
  /// is attached.
  private func create<Part>(
    _ feature: Feature<Part>, of run: FeatureRun, in store: StoreProxy<State>,
    reading part: @escaping @Sendable (State) -> Part
  ) -> (code: FeatureCode, end: @Sendable (_ last: (any Sendable)?) -> Void) {
    let plugin = feature.makePlugin()
    if plugin.isOnlyForStore { Misuse.featureWithPluginOfStore(feature.name) }
    let context = store.context.adding(run.scope)
    plugin.onStoreStart?(context.ofStore)
    plugin.onStoreProxy?(store.proxy(whileAvailable: { run.isActive ? part($0) : nil }).like(context))
    let link = plugin.middleware.map { middleware in
      StoreCreation.during(context) { dynamic.add(gated(middleware, reading: part, by: run)) }
    }
    let token = plugin.onTransition.map { observer in
      run.observesTransitions()
      return store.observeTransitions(
        observer.lifted(to: part) { [runs] action in run.receives(runs.number(ofChange: action)) })
    }
    let code = FeatureCode(of: feature, id: run.id, wrapping: plugin.wrapReducer)
    return (
      code,
      { [dynamic] last in
        token?.cancel()
        if let link { dynamic.remove(link) }
        if let last = last as? Part { plugin.onStoreEnd?(last) }
        context.removeFromStore()
      }
    )
  }

  /// Returns a middleware for the whole state that receives actions while the feature is attached.
  private func gated<Part>(
    _ middleware: @escaping Middleware<Part>, reading part: @escaping @Sendable (State) -> Part,
    by run: FeatureRun
  ) -> Middleware<State> {
    { dispatch, getState in
      let link = middleware(dispatch, { getState().map(part) })
      return { next in
        let chain = link(next)
        return { action in run.isActive ? chain(action) : next(action) }
      }
    }
  }
}

extension Substate {
  /// Returns the part of a state, or `nil` if the part does not exist.
  fileprivate func value(in state: State) -> Part? {
    var (copy, part) = (state, nil as Part?)
    modify(&copy) { part = $0 }
    return part
  }
}
