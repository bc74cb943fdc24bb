import SwiftUI
import TestSupport
import Testing

@testable import MoviesApp

@MainActor
@Suite("The screen of a film", .unlessItHangs) struct FilmScreenTests {
  @Test("a film of the list opens without a request, and the back button returns to the list")
  func openAndBack() async {
    let app = await RunningApp.withFilms()
    app.screen.press("The Kid")
    #expect(app.screen.text.prefix(3).contains("# The Kid"))
    #expect(app.screen.text.contains("Charlie Chaplin"))
    #expect(!app.screen.text.contains("A Trip to the Moon"))
    app.screen.goBack()
    #expect(app.screen.text.contains("A Trip to the Moon"))
    #expect(!app.service.calls.values.contains("film 5"))
  }

  @Test("the year has no separator")
  func year() async {
    let app = await RunningApp.withFilms()
    app.screen.press("The Kid")
    #expect(app.screen.text.contains("1921"))
  }

  @Test("a wish is marked in the list")
  func markedInList() async {
    let app = await RunningApp.withFilms()
    #expect(!app.screen.text.contains("On the wish list"))
    app.screen.press("The Kid")
    app.screen.toggle("On the wish list")
    app.screen.goBack()
    #expect(app.screen.text.count { $0 == "On the wish list" } == 1)
  }
}
