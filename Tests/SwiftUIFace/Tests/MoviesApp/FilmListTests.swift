import SwiftUI
import TestSupport
import Testing

@testable import MoviesApp

@MainActor
@Suite("The list of films", .unlessItHangs) struct FilmListTests {
  @Test("the program shows progress in its window until the first page arrives")
  func window() {
    let screen = Screen(MoviesApp())
    #expect(screen.text == ["Title or director: ", "# Films", "Loading", "Filter", "About"])
  }

  @Test("the first page replaces the progress")
  func firstPage() async {
    let app = RunningApp()
    #expect(app.screen.text.contains("Loading"))
    app.service.answer("list from 0")
    await app.until("A Trip to the Moon")
    #expect(!app.screen.text.contains("Loading"))
    #expect(app.screen.text.contains("Georges Méliès, 1902"))
  }

  @Test("the next page is fetched when the last film appears, until all films are loaded")
  func nextPages() async {
    let app = await RunningApp.withFilms()
    await app.until("Loading More")
    #expect(!app.screen.text.contains("Metropolis"))
    for offset in [12, 24, 36] { app.service.answer("list from \(offset)") }
    await app.until("Rome, Open City")
    #expect(!app.screen.text.contains("Loading More"))
    #expect(app.service.calls.values == ["list from 0", "list from 12", "list from 24", "list from 36"])
  }

  @Test("a failure is shown with its reason, and another attempt loads the films")
  func failure() async {
    let app = RunningApp()
    app.service.fail("list from 0")
    await app.until("trouble")
    app.screen.press("Try Again")
    // The button is disabled while the attempt runs.
    await app.until { _ in !app.screen.canPress("Try Again") }
    app.service.answer("list from 0")
    await app.until("The Kid")
    #expect(!app.screen.text.contains("trouble"))
  }

  @Test("a failure of the next page is shown below the films, and another attempt loads the page")
  func failureOfNextPage() async {
    let app = await RunningApp.withFilms()
    app.service.fail("list from 12")
    await app.until("trouble")
    #expect(app.screen.text.contains("The Kid"))
    app.screen.press("Try Again")
    app.service.answer("list from 12")
    await app.until("Metropolis")
    #expect(!app.screen.text.contains("trouble"))
  }

  @Test("a refresh fetches all loaded pages again, and ends when they have arrived")
  func refresh() async {
    let app = await RunningApp.withFilms()
    for offset in [12, 24, 36] { app.service.answer("list from \(offset)") }
    await app.until("Rome, Open City")
    for offset in [0, 12, 24, 36] { app.service.answer("list from \(offset)") }
    await app.screen.refresh()
    let pages = [0, 12, 24, 36].map { "list from \($0)" }
    #expect(app.service.calls.values == pages + pages)
  }

  @Test("a failed refresh is shown above the films, and another attempt removes the failure")
  func failedRefresh() async {
    let app = await RunningApp.withFilms()
    for offset in [12, 24, 36] { app.service.answer("list from \(offset)") }
    await app.until("Rome, Open City")
    app.service.fail("list from 0")
    await app.screen.refresh()
    await app.until("trouble")
    #expect(app.screen.text.contains("Rome, Open City"))
    for offset in [0, 12, 24, 36] { app.service.answer("list from \(offset)") }
    app.screen.press("Try Again")
    await app.until { !$0.contains("trouble") }
    #expect(app.screen.text.contains("Rome, Open City"))
  }

  @Test("a request without an answer fails after ten seconds")
  func timeLimit() async {
    let app = RunningApp()
    await app.untilCalled("list from 0")
    app.clock.advance(by: .seconds(10))
    await app.until("The server did not answer in time.")
  }

  @Test("the filter opens in a sheet, and the list shows only the films that it accepts")
  func filter() async {
    let app = await RunningApp.withFilms()
    #expect(app.screen.text.contains("Cabiria"), "the film is long")
    app.screen.press("Filter")
    #expect(app.screen.text.contains("Under 90 minutes: off"))
    app.screen.toggle("Under 90 minutes")
    app.screen.press("Done")
    #expect(!app.screen.text.contains("Under 90 minutes: on"))
    app.service.answer("list from 0")
    await app.until { !$0.contains("Cabiria") }
    #expect(app.screen.text.contains("The Kid"))
  }

  @Test("a sheet that the user swipes away is closed")
  func swipe() {
    let app = RunningApp()
    app.screen.press("About")
    #expect(app.screen.text.contains("# About"))
    app.screen.closeModal()
    #expect(!app.screen.text.contains("# About"))
    #expect(app.store.state.tabs.stack.modals == [])
  }
}
