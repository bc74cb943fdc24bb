package import Flux

// The text that the user reads after a change of the state.

/// Returns the text for a change: new notes, loads that have begun, and the screen after all its
/// loads have ended.
///
/// Returns `nil` if there is nothing to show.
package func describeChange(
  from old: ShelfState, to new: ShelfState, sections: (ShelfState.Screen) -> [any ListSection]
) -> String? {
  let (before, now) = (old.display, new.display)
  var lines = now.notes.suffix(now.said - before.said).map(describe)
  if before.begins != now.begins { lines.append(describeLoading(now.loads)) }
  if !now.isWaiting, before.screens != now.screens || before.ends != now.ends {
    // If the list has only grown, only the new items are printed.
    let hasGrown =
      before.screens == now.screens && new.screen == .all && now.loads.allSatisfy { $0.kind == .next }
    lines.append(
      hasGrown
        ? describeMore(of: new.books, since: old.books, called: "books")
        : describe(new, sections(new.screen)))
  }
  return lines.isEmpty ? nil : lines.joined(separator: "\n")
}

private func describeLoading(_ loads: [ShelfState.Load]) -> String {
  let names = loads.map { load in
    let name = load.list == ShelfLists.songsID ? "songs" : "books"
    return load.kind == .next ? "more \(name)" : name
  }
  return "  loading \(names.joined(separator: " and ")) …"
}
