// The declarations of FeatureInOneFile.md, which `FeatureGuideTests` compares with the page word
// for word.
import Flux

protocol ReviewService: Sendable {
  func reviews() async throws -> [String]
  func publish(_ text: String) async throws
}

// MARK: State

struct Reviews: FluxState, Equatable, Codable {
  var texts: [String] = []
  var isLoading = false
  var failure: String?
}

// MARK: Actions and work

struct AddReview: Action {
  let text: String
}

struct LoadReviews: AsyncRequest {
  var policy: WorkPolicy { .latest }

  func perform(in context: RequestContext<any FluxState>) async throws -> [String] {
    try await context.services((any ReviewService).self).reviews()
  }
}

// MARK: Reducer

let reviewsReducer = ActionHandlers<Reviews> {
  on(AddReview.self) { reviews, action in reviews.texts.append(action.text) }
  on(LoadReviews.Pending.self) { reviews, _ in
    (reviews.isLoading, reviews.failure) = (true, nil)
  }
  on(LoadReviews.Fulfilled.self) { reviews, loaded in
    (reviews.isLoading, reviews.texts) = (false, loaded.value)
  }
  on(LoadReviews.Rejected.self) { reviews, failed in
    (reviews.isLoading, reviews.failure) = (false, "\(failed.failure)")
  }
}

// MARK: Views

struct ReviewList: ConnectableMapping {
  struct Props: Equatable {
    let texts: [String]
    let isLoading: Bool
    @ActionBinding var onAdd: (String) -> Void
    @ActionBinding var onReload: () -> Void
  }

  func map(state: Reviews, binder: ActionBinder) -> Props? {
    Props(
      texts: state.texts, isLoading: state.isLoading,
      onAdd: binder.bind { text in AddReview(text: text) }, onReload: binder.bind(LoadReviews()))
  }
}

// MARK: The feature

let reviews = Feature("reviews", state: Reviews(), reducer: reviewsReducer)

let publishedReviews = Feature(
  "reviews", state: Reviews(), reducer: reviewsReducer,
  plugins: {
    [
      .listeners { listeners in
        listeners.start(of: AddReview.self) { added, listener in
          try await listener.services((any ReviewService).self).publish(added.text)
        }
      }
    ]
  })

// The app

struct FilmApp: FluxState, Codable {
  var title = "Playtime"
  var reviews = Reviews()
}

struct OpenApp: FluxState, Equatable, Codable {
  var title = "Playtime"
  var features = FeatureStates()
}
