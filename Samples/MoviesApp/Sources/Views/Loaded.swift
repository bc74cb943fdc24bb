import Flux
import SwiftUI

/// The result of a query, the progress of its first request, or its failure.
struct Loaded<Value: Sendable, Content: View>: View {
  private let state: QueryState<Value>
  private let retry: @MainActor () -> Void
  private let content: (Value) -> Content

  init(
    _ state: QueryState<Value>, retry: @escaping @MainActor () -> Void,
    @ViewBuilder content: @escaping (Value) -> Content
  ) {
    self.state = state
    self.retry = retry
    self.content = content
  }

  var body: some View {
    if let failure = state.error, state.currentData == nil {
      Retry(failure: failure, isRunning: state.isFetching, retry: retry)
    } else if let value = state.data {
      content(value)
    } else {
      ProgressView("Loading")
    }
  }
}

/// A failure, and a button that tries again.
struct Retry: View {
  let failure: QueryFailure
  /// A Boolean value that indicates whether another attempt is running.
  let isRunning: Bool
  let retry: @MainActor () -> Void

  var body: some View {
    VStack {
      Label(failure.message, systemImage: "exclamationmark.triangle")
      Button("Try Again", action: retry)
        .buttonStyle(.bordered)
        .disabled(isRunning)
    }
  }
}
