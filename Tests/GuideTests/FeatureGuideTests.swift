import Flux
import FluxTesting
import TestSupport
import Testing

@MainActor
@Suite("Sources/Flux/Flux.docc/FeatureInOneFile.md")
struct FeatureGuideTests {
  private struct FixedReviews: ReviewService {
    let texts: [String]

    let published = Recorder<String>()

    func reviews() async throws -> [String] { texts }

    func publish(_ text: String) async throws { published.record(text) }
  }

  private struct Rename: Action {
    let title: String
  }

  private let appReducer: MutatingReducer<OpenApp> = { app, action in
    if let rename = action as? Rename { app.title = rename.title }
  }

  private let services = Services().with(FixedReviews(texts: ["Great!"]), as: (any ReviewService).self)

  @Test("its feature is tested without the app")
  func testing() async {
    let services = Services().with(FixedReviews(texts: ["Great!"]), as: (any ReviewService).self)
    let store = TestStore(reducer: reviews.reducer, services: services, state: Reviews())

    store.send(LoadReviews())
    await store.receive(LoadReviews.Pending.self) { $0.isLoading = true }
    await store.receive(LoadReviews.Fulfilled.self) {
      $0.isLoading = false
      $0.texts = ["Great!"]
    }
    await store.finish()
  }

  @Test("its feature can be part of the store from the beginning")
  func fixed() {
    let filmReducer: MutatingReducer<FilmApp> = { _, _ in }
    let store = Store(
      reducer: filmReducer, plugins: [reviews.plugin(at: \.reviews)], state: FilmApp())
    store.dispatch(AddReview(text: "Great!"))
    #expect(store.state.reviews.texts == ["Great!"])
  }

  @Test("its feature can be attached to a running store, drawn, and detached")
  func attached() async {
    let features = Features(at: \OpenApp.features)
    let store = Store(
      reducer: appReducer, plugins: [features.plugin], services: services, state: OpenApp())

    let attached = features.attach(reviews)
    attached.store.dispatch(LoadReviews())

    let list = Connection(to: attached.store, mapping: ReviewList())
    await store.dispatchAsync(LoadReviews()).finished()
    list.props?.onAdd("Boring.")
    #expect(list.props?.texts == ["Great!", "Boring."])
    let texts = store.state.features[reviews].texts
    #expect(texts == ["Great!", "Boring."])

    attached.detach(keepingState: true)
    store.dispatch(AddReview(text: "Late."))
    #expect(store.state.features[reviews].texts == ["Great!", "Boring."])
    #expect(!store.state.features.isAttached(reviews))
  }

  @Test("a test expects that its feature is attached and detached")
  func expecting() async {
    let features = Features(at: \OpenApp.features)
    let store = TestStore(reducer: appReducer, plugins: [features.plugin], state: OpenApp())

    let attached = features.attach(reviews)
    await store.receive(FeatureAttached.self) { $0.features.attach(reviews) }

    store.send(AddReview(text: "Great!")) { $0.features[reviews].texts = ["Great!"] }

    attached.detach(keepingState: true)
    await store.receive(FeatureDetached.self) { $0.features.detach(reviews, keepingState: true) }
    await store.finish()
  }

  @Test("its listener publishes reviews while the feature is attached")
  func published() async {
    let service = FixedReviews(texts: [])
    let features = Features(at: \OpenApp.features)
    let store = Store(
      reducer: appReducer, plugins: [features.plugin],
      services: Services().with(service, as: (any ReviewService).self), state: OpenApp())
    let attached = features.attach(publishedReviews)
    await attached.store.dispatchAsync(AddReview(text: "Great!")).finished()
    attached.detach(keepingState: true)
    await store.dispatchAsync(AddReview(text: "Late.")).finished()
    #expect(service.published.values == ["Great!"])
  }

  @Test("its examples are these, word for word")
  func examples() throws {
    try GuideExamples(of: "Sources/Flux/Flux.docc/FeatureInOneFile.md").expectTested(
      in: "Tests/GuideTests/FeatureExample.swift", "Tests/GuideTests/FeatureGuideTests.swift", atLeast: 8)
  }
}
