import SwiftUI
import TestSupport
import Testing

@testable import MoviesApp

@MainActor
@Suite("Addresses", .unlessItHangs) struct AddressTests {
  @Test("an address that starts the app opens a film before the list is loaded")
  func cold() async {
    let app = RunningApp()
    app.screen.open("movies://films/7")
    #expect(app.screen.text == ["Loading"])
    app.service.answer("film 7")
    await app.until("# Häxan")
    app.screen.goBack()
    #expect(app.screen.text.contains("# Films"))
  }

  @Test("an address replaces the screens of its tab, and selects the tab")
  func warm() async {
    let app = await RunningApp.withFilms()
    app.screen.press("The Kid")
    app.screen.select(tab: "Wishes")
    app.screen.open("movies://films/7")
    #expect(app.screen.text.contains("# Häxan"))
    app.screen.goBack()
    #expect(app.screen.text.contains("# Films"))
  }

  @Test("the address of the wishes shows the list of wishes")
  func wishes() {
    let app = RunningApp()
    app.screen.open("movies://wishes")
    #expect(app.screen.text.contains("# Wishes"))
  }

  @Test("an address closes a sheet")
  func closesSheet() {
    let app = RunningApp()
    app.screen.press("Filter")
    app.screen.open("movies://wishes")
    app.screen.select(tab: "Films")
    #expect(!app.screen.text.contains("# Filter"))
  }

  @Test("an address replaces a sheet and the alert above it")
  func replacesModals() {
    let app = RunningApp()
    app.screen.press("Filter")
    app.screen.open("movies://actors/1")
    app.screen.open("movies://about")
    #expect(app.screen.text.contains("# About"))
    app.screen.press("Done")
    #expect(app.store.state.tabs.stack.modals == [])
  }

  @Test("the address of a sheet opens the sheet")
  func sheet() {
    let app = RunningApp()
    app.screen.open("movies://about")
    #expect(app.screen.text.contains("# About"))
    app.screen.press("Done")
    #expect(!app.screen.text.contains("# About"))
  }

  @Test("a film that does not exist is a failure with a reason")
  func missingFilm() async {
    let app = RunningApp()
    app.screen.open("movies://films/999")
    app.service.answer("film 999")
    await app.until("There is no film 999.")
  }

  @Test(
    "an unknown address shows an alert, and changes nothing",
    arguments: ["movies://actors/1", "movies://films/seven", "https://example.com/films/7"])
  func unknown(address: String) async {
    let app = await RunningApp.withFilms()
    app.screen.press("The Kid")
    let (tabs, text) = (app.store.state.tabs, app.screen.text)
    app.screen.open(address)
    #expect(app.screen.text.contains("! Unknown Address"))
    #expect(app.screen.text.contains("The app has no screen with the address \(address)."))
    app.screen.press("OK")
    #expect(app.screen.text == text)
    #expect(app.store.state.tabs.entries == tabs.entries)
  }

  @Test("an unknown address shows its alert above a sheet, which remains")
  func unknownAboveSheet() {
    let app = RunningApp()
    app.screen.press("Filter")
    app.screen.open("movies://actors/1")
    #expect(app.screen.text.count { $0 == "! Unknown Address" } == 1)
    app.screen.press("OK")
    #expect(app.screen.text.contains("# Filter"))
    #expect(!app.screen.text.contains("! Unknown Address"))
  }

  @Test(
    "the address of a route leads to the route", arguments: [Route.films, .film(7), .wishes, .about])
  func printed(route: Route) throws {
    #expect(try addresses.parse(addresses.print(route)) == route)
  }
}
