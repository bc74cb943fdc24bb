import SwiftUI
import TestSupport
import Testing

@testable import MoviesApp

@MainActor
@Suite("The search", .unlessItHangs) struct SearchTests {
  private let field = "Title or director"

  @Test("the field shows each letter immediately")
  func letters() {
    let app = RunningApp()
    #expect(app.screen.type("kid", into: field) == ["k", "ki", "kid"])
    #expect(app.screen.text.contains("Title or director: kid"))
  }

  @Test("no search begins before a pause in typing")
  func typing() async {
    let app = await RunningApp.withFilms()
    // The request for the next page has a time limit.
    await app.untilWaiting(1)
    app.screen.type("chaplin", into: field)
    await app.untilWaiting(2)
    #expect(app.store.state.search.words == "")
  }

  @Test("after a pause in typing, one request finds the films with the text")
  func pause() async {
    let app = await RunningApp.withFilms()
    app.screen.type("chaplin", into: field)
    await app.pause()
    app.service.answer("search chaplin")
    await app.until("City Lights")
    #expect(!app.screen.text.contains("A Trip to the Moon"))
    #expect(app.service.calls.values.filter { $0.hasPrefix("search") } == ["search chaplin"])
  }

  @Test("a search without results shows a message")
  func noResults() async {
    let app = RunningApp()
    app.screen.type("zzz", into: field)
    await app.pause()
    app.service.answer("search zzz")
    await app.until("No Films")
    #expect(app.screen.text.contains("Nothing matches “zzz”."))
  }

  @Test("without text, the list is shown again")
  func clear() async {
    let app = await RunningApp.withFilms()
    app.screen.type("zzz", into: field)
    #expect(!app.screen.text.contains("The Kid"))
    app.screen.clear(field)
    #expect(app.screen.text.contains("The Kid"))
  }

  @Test("a new search does not begin with the results of the previous search")
  func secondSearch() async {
    let app = await RunningApp.withFilms()
    app.screen.type("chaplin", into: field)
    await app.pause()
    app.service.answer("search chaplin")
    await app.until("City Lights")
    app.screen.clear(field)
    app.screen.type("m", into: field)
    #expect(!app.screen.text.contains("City Lights"))
    #expect(app.screen.text.contains("Loading"))
  }

  @Test("a failure is shown with its reason, and another attempt shows the films")
  func failure() async {
    let app = RunningApp()
    app.screen.type("chaplin", into: field)
    await app.pause()
    app.service.fail("search chaplin")
    await app.until("trouble")
    app.screen.press("Try Again")
    app.service.answer("search chaplin")
    await app.until("City Lights")
  }

  @Test("a found film opens without a request")
  func open() async {
    let app = RunningApp()
    app.screen.type("chaplin", into: field)
    await app.pause()
    app.service.answer("search chaplin")
    await app.until("City Lights")
    app.screen.press("City Lights")
    #expect(app.screen.text.contains("87 min"))
    #expect(!app.service.calls.values.contains("film 20"))
  }
}
