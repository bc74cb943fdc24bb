import Testing

@Suite("An app written to SwiftUIFlux's guide")
struct AppTests {
  @Test("fetches through an async action, with no middleware, and reads what was set")
  func fetches() {
    let detail = BookDetail(bookId: 7)
    detail.fetchBook()
    #expect(detail.book.title == "Volume 7")
    #expect(store.state.shelfState.failures == 0)
  }

  @Test("runs an async action once when its own list names the middleware for it")
  func runsOnce() {
    loggedStore.dispatch(action: ShelfActions.FetchBook(book: -1))
    #expect(loggedStore.state.shelfState.failures == 1)
  }
}
