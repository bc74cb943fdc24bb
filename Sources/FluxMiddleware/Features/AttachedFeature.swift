public import FluxCore

/// A feature that is attached to a running store.
///
/// Releasing the value does not detach the feature.
public struct AttachedFeature<State: FluxState>: Sendable {
  /// The feature.
  public let feature: Feature<State>

  /// A proxy of the store that is limited to the state of the feature.
  ///
  /// The work of the actions that the proxy dispatches belongs to the feature, and so do the
  /// subscriptions of the proxy. When the feature is detached, the work and the subscriptions are
  /// canceled. After that, the state of the proxy is `nil`, and the proxy drops and reports the
  /// actions that it receives.
  public let store: StoreProxy<State>

  private let attachment: FeatureAttachment
  private let detach: @Sendable (_ keepsState: Bool) -> Void

  init<Whole: FluxState>(
    _ feature: Feature<State>, _ attachment: FeatureAttachment, of runs: FeatureRuns,
    in whole: StoreProxy<Whole>, reading part: @escaping @Sendable (Whole) -> State?
  ) {
    self.feature = feature
    self.attachment = attachment
    let context = whole.context
    let report: @Sendable (any Action) -> Void = { action in
      if context.scope.hasEnded { return }
      runs.report(FeatureError(.actionAfterDetach, of: feature.name, reason: "\(action)"))
    }
    let available = whole.proxy(whileAvailable: part)
    let limited = StoreProxy(
      of: available, subscribing: { attachment.keep(available._subscribe($0)) },
      onMain: { attachment.keep(available._subscribeOnMain($0)) })
    store = limited.dispatching(in: attachment.scope) { action in
      context.dispatch(action, in: attachment.scope, refusal: report) { whole.dispatch(action) }
    }
    detach = { keepsState in
      attachment.detachingBegins()
      let action = FeatureDetached(
        name: feature.name, keepsState: keepsState, attachment: attachment.number, runs: runs)
      context.dispatching {
        whole.dispatch(action)
      } then: {
        runs.settle(attachment, after: action.change)
        attachment.detachingEnds()
      }
    }
  }

  /// A Boolean value that indicates whether this attachment exists.
  public var isAttached: Bool { attachment.isAttached }

  /// Detaches the feature.
  ///
  /// When the method returns, the store has reduced ``FeatureDetached``, unless a middleware or a
  /// locked history dropped the action, or a plug-in defers actions. After that action, the
  /// reducer, the middleware, and the plug-ins of the feature receive no actions, and the work and
  /// the subscriptions of ``store`` are canceled. If the feature has other attachments, only this
  /// attachment is removed, and the state does not change. Calling the method again has no effect.
  ///
  /// - Parameter keepsState: A Boolean value that indicates whether the state of the feature is
  ///   kept for its next attachment. If the value is `false`, the feature begins again with its
  ///   initial state.
  public func detach(keepingState keepsState: Bool) {
    if !attachment.hasEnded { detach(keepsState) }
  }
}
