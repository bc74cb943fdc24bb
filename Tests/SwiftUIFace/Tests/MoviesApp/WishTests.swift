import SwiftUI
import TestSupport
import Testing

@testable import MoviesApp

@MainActor
@Suite("The wish list", .unlessItHangs) struct WishTests {
  /// Returns the app with two wishes, which shows the wish list.
  private func appWithWishes() async -> RunningApp {
    let app = await RunningApp.withFilms()
    for film in ["The Kid", "Nosferatu"] {
      app.screen.press(film)
      app.screen.toggle("On the wish list")
      app.screen.goBack()
    }
    app.screen.select(tab: "Wishes")
    return app
  }

  private func titles(in app: RunningApp) -> [String] {
    app.screen.text.filter { ["The Kid", "Nosferatu"].contains($0) }
  }

  @Test("a list without wishes explains its purpose, and nothing can be undone")
  func empty() {
    let app = RunningApp()
    app.screen.select(tab: "Wishes")
    #expect(app.screen.text.contains("No Wishes"))
    #expect(!app.screen.canPress("Undo"))
    #expect(!app.screen.canPress("Redo"))
  }

  @Test("the tab shows the wishes in the order in which they were added, without a request")
  func added() async {
    let app = await appWithWishes()
    #expect(titles(in: app) == ["The Kid", "Nosferatu"])
    #expect(!app.service.calls.values.contains { $0.hasPrefix("film") })
  }

  @Test("a wish is undone, and redone")
  func undo() async {
    let app = await appWithWishes()
    app.screen.press("Undo")
    #expect(titles(in: app) == ["The Kid"])
    app.screen.press("Redo")
    #expect(titles(in: app) == ["The Kid", "Nosferatu"])
    #expect(!app.screen.canPress("Redo"))
  }

  @Test("an undo changes neither the screens nor the loaded films")
  func undoOfWishesOnly() async {
    let app = await appWithWishes()
    let (tabs, queries) = (app.store.state.tabs, app.store.state.queries)
    app.screen.press("Undo")
    #expect(app.store.state.tabs == tabs)
    #expect(app.store.state.queries == queries)
  }

  @Test("a deleted row is removed from the list, and an undo restores its place")
  func delete() async {
    let app = await appWithWishes()
    app.screen.delete([0])
    #expect(titles(in: app) == ["Nosferatu"])
    app.screen.press("Undo")
    #expect(titles(in: app) == ["The Kid", "Nosferatu"])
  }

  @Test("a wish opens its film in the tab of the wishes")
  func open() async {
    let app = await appWithWishes()
    app.screen.press("Nosferatu")
    #expect(app.screen.text.contains("F. W. Murnau"))
    #expect(app.store.state.tabs[.films]?.path == [])
    app.screen.select(tab: "Films")
    #expect(app.screen.text.contains("A Trip to the Moon"))
  }
}
