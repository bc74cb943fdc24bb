import FluxCore

/// 225 action types whose actions are never dispatched.
let others: [any Action.Type] = letters.flatMap { first in
  letters.map { second in pair(first, second) }
}

private func pair(_ first: Any.Type, _ second: Any.Type) -> any Action.Type {
  func open<First>(_ first: First.Type) -> any Action.Type {
    func openSecond<Second>(_ second: Second.Type) -> any Action.Type { Pair<First, Second>.self }
    return _openExistential(second, do: openSecond)
  }
  return _openExistential(first, do: open)
}

private struct Pair<First, Second>: Action {}
private enum A {}
private enum B {}
private enum C {}
private enum D {}
private enum E {}
private enum F {}
private enum G {}
private enum H {}
private enum I {}
private enum J {}
private enum K {}
private enum L {}
private enum M {}
private enum N {}
private enum O {}

private let letters: [Any.Type] = [
  A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self, I.self, J.self, K.self, L.self, M.self,
  N.self, O.self,
]
