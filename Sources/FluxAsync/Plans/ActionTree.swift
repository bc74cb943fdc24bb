package import FluxCore

/// The actions of a composite or a race.
///
/// A tree contains actions and the trees of nested composites or races, in the order of
/// dispatch. Nested trees are shared, not copied.
package final class ActionTree: Sendable {
  package enum Part: Sendable {
    case action(any Action)
    case tree(ActionTree)
  }

  /// The actions and the nested trees in this tree, until the tree is released.
  private let held: Locked<[Part]>

  /// The actions and the nested trees, in the order of dispatch.
  package var parts: [Part] { held.withLock { $0 } }

  /// All actions of the tree, including nested trees, in the order of dispatch.
  ///
  /// Reading the property is O(n) for n actions.
  var actions: [any Action] {
    var (rest, actions) = (Cursor(self), [any Action]())
    while let action = rest.next() { actions.append(action) }
    return actions
  }

  /// Creates a tree of actions.
  ///
  /// - Parameters:
  ///   - actions: The actions, in the order of dispatch.
  ///   - tree: A closure that returns the tree of a nested composite or race of the same kind,
  ///     or `nil` for any other action.
  init(_ actions: [any Action], nesting tree: (any Action) -> ActionTree?) {
    held = Locked(actions.map { action in tree(action).map { .tree($0) } ?? .action(action) })
  }

  /// Releases the nested trees one after another, because a recursive release of a deep tree
  /// would overflow the stack.
  deinit {
    var released = takeTrees()
    while var tree = released.popLast() {
      if isKnownUniquelyReferenced(&tree) { released += tree.takeTrees() }
    }
  }

  /// Removes the contents of the tree, and returns the nested trees.
  private func takeTrees() -> [ActionTree] {
    held.exchange([]).compactMap { part in
      switch part {
      case .action: nil
      case .tree(let tree): tree
      }
    }
  }

  /// A position in a tree, from which the actions of the tree are read one after another.
  ///
  /// Reading the actions is amortized O(1) for each action and each tree.
  struct Cursor: Sendable {
    /// The remaining parts of each tree, with the innermost tree last.
    private var remaining: [ArraySlice<Part>]

    init(_ tree: ActionTree) {
      remaining = [tree.parts[...]]
    }

    mutating func next() -> (any Action)? {
      while var parts = remaining.popLast() {
        guard let part = parts.popFirst() else { continue }
        if !parts.isEmpty { remaining.append(parts) }
        switch part {
        case .action(let action): return action
        case .tree(let tree): remaining.append(tree.parts[...])
        }
      }
      return nil
    }
  }
}
