import Flux

/// Loads a page and shows it.
struct LoadPage: AsyncAction, CustomStringConvertible {
  let number: Int
  let service: any MovieService

  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    dispatch(WorkBegan())
    Task {
      switch await load(number, from: service, dispatch) {
      case .success: dispatch(WorkEnded(screen: .page(number)))
      case .failure(let error): dispatch(WorkEnded(screen: .trouble(error.description)))
      }
    }
  }

  var description: String { "LoadPage(number: \(number))" }
}

/// Loads all that is missing, page after page, and shows what was found.
struct Search: AsyncAction, CustomStringConvertible {
  let words: String
  let service: any MovieService

  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    guard let library = (state as? BrowserState)?.library else { return }
    dispatch(WorkBegan())
    Task {
      let trouble = await loadMissing(of: library, dispatch)
      dispatch(WorkEnded(screen: .found(words: words, trouble: trouble)))
    }
  }

  /// Loads all that a library lacks; returns what went wrong, if something did.
  private func loadMissing(of library: BrowserState.Library, _ dispatch: DispatchFunction) async -> String? {
    // The first page tells how many there are, so what is missing may grow on the way.
    var library = library
    while let number = library.missingPage {
      switch await load(number, from: service, dispatch) {
      case .success(let page): library.add(page)
      case .failure(let error): return error.description
      }
    }
    return nil
  }

  var description: String { "Search(words: \"\(words)\")" }
}

/// A piece of work has begun; the user waits until all of them have ended.
struct WorkBegan: Action {}

/// A piece of work has ended; what it was for, if that is a screen, can be shown.
struct WorkEnded: Action, CustomStringConvertible {
  let screen: BrowserState.Screen?

  var description: String { "WorkEnded(\(screen.map { "screen: \($0)" } ?? ""))" }
}

/// A page is on its way.
struct PageRequested: Action {
  let number: Int
}

/// A page has come.
struct PageLoaded: Action, CustomStringConvertible {
  let page: FilmPage

  var description: String { "PageLoaded(page: \(page.page), films: \(page.films.count))" }
}

/// A page has not come.
struct PageFailed: Action {
  let number: Int
  let reason: String
}

/// Puts a film on the wish list, or takes it off.
struct ToggleWish: Action {
  let film: Int
}

/// Notes that a film has been seen, or has not.
struct ToggleSeen: Action {
  let film: Int
}

/// Shows a screen.
struct Show: Action, CustomStringConvertible {
  let screen: BrowserState.Screen

  var description: String { "Show(screen: \(screen))" }
}

/// Loads one page, and tells the store.
private func load(
  _ number: Int, from service: any MovieService, _ dispatch: DispatchFunction
) async -> Result<FilmPage, MovieServiceError> {
  dispatch(PageRequested(number: number))
  do {
    let page = try await service.page(number)
    dispatch(PageLoaded(page: page))
    return .success(page)
  } catch {
    dispatch(PageFailed(number: number, reason: error.description))
    return .failure(error)
  }
}
