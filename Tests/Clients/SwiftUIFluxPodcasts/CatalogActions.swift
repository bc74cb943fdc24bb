import Flux
import Foundation

struct CatalogActions {
  // MARK: - Requests

  struct FetchTop: AsyncAction {
    let genre: Int

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      APIService.shared.GET(endpoint: .top(genre: genre)) {
        (result: Result<PaginatedResponse<Podcast>, APIError>) in
        switch result {
        case let .success(response): dispatch(SetTop(response: response))
        case .failure: dispatch(RequestFailed(name: "top"))
        }
      }
    }
  }

  struct FetchGenres: AsyncAction {
    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      if let genres: [Genre] = DiskCache.shared.load("genres") {
        dispatch(SetGenres(genres: genres))
        return
      }
      APIService.shared.GET(endpoint: .genres) { (result: Result<[Genre], APIError>) in
        switch result {
        case let .success(genres):
          DiskCache.shared.save(genres, as: "genres")
          dispatch(SetGenres(genres: genres))
        case .failure: dispatch(RequestFailed(name: "genres"))
        }
      }
    }
  }

  struct FetchPodcast: AsyncAction {
    let id: Int

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      if let podcast: Podcast = DiskCache.shared.load("podcast-\(id)") {
        dispatch(SetPodcast(podcast: podcast))
        return
      }
      APIService.shared.GET(endpoint: .podcast(id)) { (result: Result<Podcast, APIError>) in
        switch result {
        case let .success(podcast):
          DiskCache.shared.save(podcast, as: "podcast-\(podcast.id)")
          dispatch(SetPodcast(podcast: podcast))
        case .failure: dispatch(PodcastFailed(id: self.id))
        }
      }
    }
  }

  struct FetchEpisodes: AsyncAction {
    let podcast: Int

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      APIService.shared.GET(endpoint: .episodes(podcast: podcast)) {
        (result: Result<PaginatedResponse<Episode>, APIError>) in
        switch result {
        case let .success(response):
          dispatch(SetEpisodes(podcast: self.podcast, response: response))
        case .failure: dispatch(RequestFailed(name: "episodes"))
        }
      }
    }
  }

  struct FetchReviews: AsyncAction {
    let podcast: Int

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      APIService.shared.GET(endpoint: .reviews(podcast: podcast)) {
        (result: Result<[Review], APIError>) in
        if case let .success(reviews) = result {
          dispatch(SetReviews(podcast: self.podcast, reviews: reviews))
        } else {
          dispatch(RequestFailed(name: "reviews"))
        }
      }
    }
  }

  struct FetchRecommended: AsyncAction {
    let podcast: Int

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      if let known = (state as? AppState)?.catalog.recommended[podcast], !known.isEmpty { return }
      APIService.shared.GET(endpoint: .recommended(podcast: podcast)) {
        (result: Result<PaginatedResponse<Podcast>, APIError>) in
        if case let .success(response) = result {
          dispatch(SetRecommended(podcast: self.podcast, response: response))
        } else {
          dispatch(RequestFailed(name: "recommended"))
        }
      }
    }
  }

  struct FetchSearch: AsyncAction {
    let query: String

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      guard !query.isEmpty else { return dispatch(ClearSearch()) }
      APIService.shared.GET(endpoint: .search) {
        (result: Result<PaginatedResponse<Podcast>, APIError>) in
        if case let .success(response) = result {
          dispatch(SetSearch(query: self.query, response: response))
        } else {
          dispatch(RequestFailed(name: "search"))
        }
      }
    }
  }

  struct PostReview: AsyncAction {
    let podcast: Int
    let text: String

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      APIService.shared.GET(endpoint: .postReview(podcast: podcast)) {
        (result: Result<Review, APIError>) in
        guard case let .success(review) = result else {
          return dispatch(RequestFailed(name: "review"))
        }
        dispatch(ReviewPosted(podcast: self.podcast, review: review))
        dispatch(FetchReviews(podcast: self.podcast))
      }
    }
  }

  // MARK: - Changes

  struct SetTop: Action { let response: PaginatedResponse<Podcast> }
  struct SetGenres: Action { let genres: [Genre] }
  struct SetPodcast: Action { let podcast: Podcast }
  struct PodcastFailed: Action { let id: Int }
  struct SetEpisodes: Action {
    let podcast: Int
    let response: PaginatedResponse<Episode>
  }
  struct SetReviews: Action {
    let podcast: Int
    let reviews: [Review]
  }
  struct SetRecommended: Action {
    let podcast: Int
    let response: PaginatedResponse<Podcast>
  }
  struct SetSearch: Action {
    let query: String
    let response: PaginatedResponse<Podcast>
  }
  struct ClearSearch: Action {}
  struct ReviewPosted: Action {
    let podcast: Int
    let review: Review
  }
  struct RequestFailed: Action { let name: String }
}
