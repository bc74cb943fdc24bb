import Flux

/// Loads a page and shows it.
struct LoadPage: AsyncAction, CustomStringConvertible {
  let number: Int
  let service: any MovieService

  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    dispatch(WorkBegan())
    Task {
      let isLoaded = await load(number, from: service, dispatch)
      dispatch(WorkEnded(screen: isLoaded ? .page(number) : nil))
    }
  }

  var description: String { "LoadPage(number: \(number))" }
}

/// Loads all that is missing, page after page, and shows what was found.
struct Search: AsyncAction, CustomStringConvertible {
  let words: String
  let service: any MovieService

  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    guard let missing = (state as? BrowserState)?.library.missingPages else { return }
    dispatch(WorkBegan())
    Task {
      for number in missing {
        guard await load(number, from: service, dispatch) else { break }
      }
      dispatch(WorkEnded(screen: .found(words: words)))
    }
  }

  var description: String { "Search(words: \"\(words)\")" }
}

/// A command has begun something that takes its time.
struct WorkBegan: Action {}

/// A command has finished; what it was for can be shown.
struct WorkEnded: Action {
  let screen: BrowserState.Screen?
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
struct Show: Action {
  let screen: BrowserState.Screen
}

/// Loads one page; returns whether it came.
private func load(_ number: Int, from service: any MovieService, _ dispatch: DispatchFunction) async -> Bool {
  dispatch(PageRequested(number: number))
  do {
    dispatch(PageLoaded(page: try await service.page(number)))
    return true
  } catch {
    dispatch(PageFailed(number: number, reason: error.description))
    return false
  }
}
