import FluxNavigation
import TestSupport
import Testing

/// A stack of screens that is implemented in the simplest way: a list of lists, and a list of all
/// places.
private struct NaiveStack {
  typealias Screen = (number: Int, route: Place)
  typealias Layers = [(style: ModalStyle?, screens: [Screen])]

  var layers: Layers = [(nil, [(0, .list)])]
  var past: [Layers] = []
  var future: [Layers] = []
  var last = 0
  let limit: Int

  var screens: [Screen] { layers.flatMap(\.screens) }

  mutating func change(_ body: (inout Layers, () -> Int) -> Void) {
    var (new, last) = (layers, last)
    body(&new) {
      last += 1
      return last
    }
    let isSame =
      new.flatMap { $0.screens.map(\.number) } == screens.map(\.number) && new.count == layers.count
    guard !isSame else { return }
    past = (past + [layers]).suffix(limit)
    (future, layers, self.last) = ([], new, last)
  }

  mutating func apply(_ change: RouteChange<Place>, numbers: (ScreenID) -> Int?) {
    switch change {
    case .push(let route):
      self.change { layers, next in
        while layers.last?.style == .alert { layers.removeLast() }
        layers[layers.count - 1].screens.append((next(), route))
      }
    case .pop:
      self.change { layers, _ in
        if layers[layers.count - 1].screens.count > 1 {
          layers[layers.count - 1].screens.removeLast()
        } else if layers.count > 1 {
          layers.removeLast()
        }
      }
    case .popTo(let id):
      self.change { layers, _ in
        for (index, layer) in layers.enumerated() {
          guard let position = layer.screens.firstIndex(where: { $0.number == numbers(id) }) else { continue }
          layers = Array(layers[...index])
          layers[index].screens = Array(layer.screens[...position])
        }
      }
    case .popToRoot: self.change { layers, _ in layers = [(nil, [layers[0].screens[0]])] }
    case .replaceTop(let route):
      self.change { layers, next in
        layers[layers.count - 1].screens.removeLast()
        layers[layers.count - 1].screens.append((next(), route))
      }
    case .present(let route, let style):
      self.change { layers, next in
        while layers.last?.style == .alert { layers.removeLast() }
        layers.append((style, [(next(), route)]))
      }
    case .dismiss(let id):
      self.change { layers, _ in
        guard let id else {
          if layers.count > 1 { layers.removeLast() }
          return
        }
        if let index = layers.firstIndex(where: { $0.screens[0].number == numbers(id) }), index > 0 {
          layers = Array(layers[..<index])
        }
      }
    case .setPath(let routes):
      self.change { layers, next in
        var screens = [layers[0].screens[0]]
        for (index, route) in routes.enumerated() {
          let old = layers[0].screens.dropFirst().dropFirst(index).first
          let isKept =
            screens.count == index + 1
            && screens.map(\.number) == layers[0].screens.prefix(index + 1).map(\.number)
          screens.append(old?.route == route && isKept ? old! : (next(), route))
        }
        layers = [(nil, screens)]
      }
    case .reset(let root):
      self.change { layers, next in layers = [(nil, [(next(), root)])] }
    case .back:
      guard let place = past.popLast() else { return }
      future.append(layers)
      layers = place
    case .forward:
      guard let place = future.popLast() else { return }
      past.append(layers)
      layers = place
    }
  }
}

@Suite("Random changes of a stack of screens")
struct RouteStackModelTests {
  @Test(
    "a stack and a naive stack show the same screens", arguments: [0, 1, 5] as [Int],
    [1, 2, 3, 4] as [UInt64])
  func sameScreens(limit: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (stack, naive) = (RouteStack(root: Place.list, keepingPlaces: limit), NaiveStack(limit: limit))
    // The naive stack counts its screens, and the identities of the stack are compared by position.
    var numbers: [ScreenID: Int] = [stack.root.id: 0]
    var newest = [stack.root.id]
    for step in 0..<4_000 {
      let change = randomChange(of: newest, &random)
      stack.apply(change)
      naive.apply(change) { numbers[$0] }
      let shown = stack.entries
      #expect(shown.map(\.route) == naive.screens.map(\.route), "step \(step), seed \(seed): \(change)")
      guard shown.count == naive.screens.count else { return }
      for (entry, screen) in zip(shown, naive.screens) {
        #expect(numbers[entry.id, default: screen.number] == screen.number, "step \(step), seed \(seed)")
        if numbers.updateValue(screen.number, forKey: entry.id) == nil {
          newest = newest.suffix(12) + [entry.id]
        }
      }
      #expect(stack.modals.map(\.style) == naive.layers.dropFirst().map(\.style))
      #expect(stack.canGoBack == !naive.past.isEmpty && stack.canGoForward == !naive.future.isEmpty)
      #expect(Set(shown.map(\.id)).count == shown.count)
    }
  }

  @Test(
    "a stack that is restored again and again keeps no more places than its limit, in both directions",
    arguments: [0, 1, 2, 5] as [Int], [1, 2, 3] as [UInt64])
  func bound(limit: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (stack, limit) = (RouteStack(root: Place.list, keepingPlaces: limit), limit)
    for step in 0..<2_000 {
      if Int.random(in: 0..<20, using: &random) == 0 {
        limit = Int.random(in: 0...5, using: &random)
        let saved = stack
        stack = RouteStack(root: .list, keepingPlaces: limit)
        stack.restore(from: saved)
      } else {
        stack.apply(randomChange(of: stack.entries.map(\.id), &random))
      }
      var (current, back, forward) = (stack, 0, 0)
      while current.canGoBack {
        current.back()
        back += 1
      }
      while current.canGoForward {
        current.forward()
        forward += 1
      }
      #expect(back <= forward && forward <= limit, "step \(step), seed \(seed)")
    }
  }

  private func randomChange(
    of ids: [ScreenID], _ random: inout SeededGenerator
  ) -> RouteChange<Place> {
    let route = [Place.film(1), .film(2), .about].randomElement(using: &random)!
    let id = ids.randomElement(using: &random)!
    return switch Int.random(in: 0..<13, using: &random) {
    case 0, 1: .push(route)
    case 2: .pop
    case 3: .popTo(id)
    case 4: .popToRoot
    case 5: .replaceTop(route)
    case 6, 7: .present(route, as: ModalStyle.allCases.randomElement(using: &random)!)
    case 8: .dismiss(Bool.random(using: &random) ? id : nil)
    case 9: .setPath((0..<Int.random(in: 0...3, using: &random)).map { .film($0) })
    case 10: .back
    case 11: .reset(root: route)
    default: .forward
    }
  }
}
