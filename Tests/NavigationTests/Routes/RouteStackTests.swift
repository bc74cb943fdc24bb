import FluxNavigation
import Testing

@Suite("A stack of screens")
struct RouteStackTests {
  private var stack = RouteStack(root: Place.list)

  private var routes: [Place] { stack.entries.map(\.route) }

  // MARK: The front

  @Test("a new stack contains its root")
  func root() {
    #expect(stack.root.route == .list)
    #expect(stack.top == stack.root)
    #expect(stack.path.isEmpty && stack.modals.isEmpty)
  }

  @Test("a push adds a screen on top")
  mutating func push() {
    let id = stack.push(.film(7))
    #expect(stack.top.id == id)
    #expect(routes == [.list, .film(7)])
    #expect(stack.path.map(\.route) == [.film(7)])
    #expect(stack[id] == .film(7))
  }

  @Test("two screens with the same route have different identities")
  mutating func identities() {
    let first = stack.push(.film(7))
    let second = stack.push(.film(7))
    #expect(first != second)
    stack.pop()
    #expect(stack.push(.film(7)) != second)
  }

  @Test("a pop removes the top screen, but not the root")
  mutating func pop() {
    stack.push(.film(7))
    stack.pop()
    #expect(routes == [.list])
    let before = stack
    stack.pop()
    #expect(stack == before)
  }

  @Test("a pop to a screen removes the screens above it, with their modals")
  mutating func popTo() {
    let id = stack.push(.film(7))
    stack.push(.reviews(film: 7, page: 1))
    stack.present(.about)
    stack.push(.film(8))
    stack.pop(to: id)
    #expect(routes == [.list, .film(7)])
    #expect(stack.modals.isEmpty)
    let before = stack
    stack.pop(to: id)
    #expect(stack == before)
  }

  @Test("a pop to a screen in a modal keeps the modal")
  mutating func popInModal() {
    let sheet = stack.present(.search("", page: 1))
    stack.push(.film(8))
    stack.push(.film(9))
    stack.pop(to: sheet)
    #expect(routes == [.list, .search("", page: 1)])
    #expect(stack.modals.count == 1)
  }

  @Test("a pop to a screen that is not in the stack has no effect")
  mutating func popToUnknown() {
    let id = stack.push(.film(7))
    stack.pop()
    stack.push(.film(8))
    let before = stack
    stack.pop(to: id)
    #expect(stack == before)
  }

  @Test("a pop to the root removes all other screens")
  mutating func popToRoot() {
    stack.push(.film(7))
    stack.present(.about)
    stack.popToRoot()
    #expect(routes == [.list])
  }

  @Test("a replacement of the top screen has another identity")
  mutating func replaceTop() {
    let old = stack.push(.film(7))
    let new = stack.replaceTop(with: .film(8))
    #expect(routes == [.list, .film(8)])
    #expect(old != new && stack.top.id == new && !stack.contains(old))
  }

  @Test("the root can be replaced")
  mutating func replaceRoot() {
    stack.replaceTop(with: .about)
    #expect(stack.root.route == .about)
    #expect(routes == [.about])
  }

  // MARK: Modals

  @Test("a modal has a style, a first screen, and a path", arguments: ModalStyle.allCases)
  mutating func present(style: ModalStyle) {
    stack.push(.film(7))
    let id = stack.present(.about, as: style)
    let modal = stack.modals.first
    #expect(modal?.id == id && modal?.style == style && modal?.root.route == .about)
    #expect(modal?.path == [])
    #expect(stack.path.map(\.route) == [.film(7)])
    #expect(stack.top.route == .about)
  }

  @Test("a push goes to the sheet in front")
  mutating func pushInModal() {
    stack.present(.search("", page: 1))
    stack.push(.film(7))
    #expect(stack.path.isEmpty)
    #expect(stack.modals.map { $0.path.map(\.route) } == [[.film(7)]])
  }

  @Test("modals can cover modals, and a dismissal removes the highest one")
  mutating func nested() {
    stack.present(.search("", page: 1), as: .cover)
    stack.present(.browse(genre: nil))
    #expect(stack.modals.map(\.style) == [.cover, .sheet])
    stack.dismiss()
    #expect(stack.modals.map(\.root.route) == [.search("", page: 1)])
    stack.dismiss()
    #expect(routes == [.list])
    let before = stack
    stack.dismiss()
    #expect(stack == before)
  }

  @Test("a pop of the first screen of a modal dismisses the modal")
  mutating func popModal() {
    stack.present(.about)
    stack.push(.film(7))
    stack.pop()
    #expect(routes == [.list, .about])
    stack.pop()
    #expect(routes == [.list])
  }

  @Test("a dismissal of a modal also removes the modals above it")
  mutating func dismissLower() {
    let lower = stack.present(.search("", page: 1))
    stack.present(.about, as: .alert)
    stack.dismiss(lower)
    #expect(routes == [.list])
  }

  // TCA #2893: the dismissal of a child also dismissed its parent.
  @Test("a second dismissal of the same modal has no effect on the modals below it")
  mutating func dismissChildTwice() {
    let parent = stack.present(.about)
    let child = stack.present(.search("", page: 1))
    stack.dismiss(child)
    stack.dismiss(child)
    #expect(stack.modals.map(\.id) == [parent])
  }

  @Test("a second dismissal of the same modal has no effect on the modal that follows")
  mutating func dismissTwice() {
    let first = stack.present(.about)
    stack.dismiss(first)
    let second = stack.present(.about)
    stack.dismiss(first)
    #expect(stack.modals.map(\.id) == [second])
  }

  // TCA #3909: an alert is dismissed after the action of its button.
  @Test("a push or a modal replaces an alert, and the later dismissal of the alert has no effect")
  mutating func alert() {
    let alert = stack.present(.about, as: .alert)
    stack.push(.film(7))
    #expect(routes == [.list, .film(7)])
    stack.dismiss(alert)
    #expect(routes == [.list, .film(7)])
    let second = stack.present(.about, as: .alert)
    stack.present(.browse(genre: .drama))
    stack.dismiss(second)
    #expect(routes == [.list, .film(7), .browse(genre: .drama)])
  }

  @Test("an alert over a sheet is dismissed without the sheet")
  mutating func alertOverSheet() {
    stack.present(.search("", page: 1))
    stack.present(.about, as: .alert)
    stack.push(.film(7))
    #expect(stack.modals.map(\.style) == [.sheet])
    #expect(stack.modals[0].path.map(\.route) == [.film(7)])
  }

  // MARK: Deep links

  @Test("a new path keeps the screens at its beginning that are equal")
  mutating func setPath() {
    let film = stack.push(.film(7))
    let reviews = stack.push(.reviews(film: 7, page: 1))
    stack.present(.about)
    stack.setPath([.film(7), .reviews(film: 7, page: 2)])
    #expect(routes == [.list, .film(7), .reviews(film: 7, page: 2)])
    #expect(stack.path[0].id == film && stack.path[1].id != reviews)
  }

  @Test("a path that the stack already has changes nothing, and an empty path pops to the root")
  mutating func setSamePath() {
    stack.push(.film(7))
    let before = stack
    stack.setPath([.film(7)])
    #expect(stack == before)
    stack.setPath([])
    #expect(routes == [.list])
  }

  // MARK: A new root

  @Test("a reset replaces the root, the path, and the modals")
  mutating func reset() {
    stack.push(.film(7))
    stack.present(.about)
    let id = stack.reset(root: .search("", page: 1))
    #expect(routes == [.search("", page: 1)])
    #expect(stack.root.id == id && stack.modals.isEmpty)
  }

  @Test("the root of a reset has a new identity, also for the same route")
  mutating func resetIdentity() {
    let film = stack.push(.film(7))
    let ids = [stack.root.id, film]
    let root = stack.reset(root: .list)
    #expect(!ids.contains(root))
    #expect(!ids.contains(stack.push(.film(7))))
  }

  @Test("back returns to the screens before a reset")
  mutating func resetAndBack() {
    stack = RouteStack(root: .list, keepingPlaces: 10)
    stack.push(.film(7))
    let before = stack.entries
    stack.reset(root: .about)
    stack.back()
    #expect(stack.entries == before)
    stack.forward()
    #expect(routes == [.about])
  }

  // MARK: Back and forward

  @Test("back and forward return to places with the same screens")
  mutating func backAndForward() {
    stack = RouteStack(root: .list, keepingPlaces: 10)
    stack.push(.film(7))
    let place = stack.entries
    stack.setPath([.film(8), .reviews(film: 8, page: 1)])
    #expect(stack.canGoBack && !stack.canGoForward)
    stack.back()
    #expect(stack.entries == place)
    #expect(stack.canGoForward)
    stack.back()
    #expect(routes == [.list])
    #expect(!stack.canGoBack)
    stack.forward()
    #expect(stack.entries == place)
    stack.forward()
    #expect(routes == [.list, .film(8), .reviews(film: 8, page: 1)])
    stack.forward()
    #expect(routes == [.list, .film(8), .reviews(film: 8, page: 1)])
  }

  @Test("a new place removes the places to which forward would return, and has new identities")
  mutating func newPlace() {
    stack = RouteStack(root: .list, keepingPlaces: 10)
    let old = stack.push(.film(7))
    stack.back()
    let new = stack.push(.film(7))
    #expect(!stack.canGoForward)
    #expect(old != new)
  }

  @Test("a change without an effect is not a place")
  mutating func noPlace() {
    stack = RouteStack(root: .list, keepingPlaces: 10)
    stack.pop()
    stack.dismiss()
    stack.setPath([])
    stack.popToRoot()
    #expect(!stack.canGoBack)
  }

  @Test("a stack keeps the newest places up to its limit, and without a limit none", arguments: [0, 1, 3])
  mutating func limit(limit: Int) {
    stack = RouteStack(root: .list, keepingPlaces: limit)
    for film in 1...5 { stack.push(.film(film)) }
    var steps = 0
    while stack.canGoBack {
      stack.back()
      steps += 1
    }
    #expect(steps == limit)
    #expect(stack.path.count == 5 - limit)
  }
}
