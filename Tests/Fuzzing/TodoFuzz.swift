import FluxCollections
import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import TodoList

extension FuzzTarget {
  /// The import of `todos`: each line is a to-do, up to the end or to a line that is not text.
  ///
  /// That line is reported by its number, earlier to-dos stay in front, and undo removes all
  /// imported ones.
  static let todos = FuzzTarget(
    "todos",
    examples: [
      "buy milk\n- call Ada\n* [ ] water  the plants\n\n  - [x] sleep\r\n- [X] eat",
      "\u{FEFF}- [x] café\n\u{FEFF}\n[ ]\n- \n-\n- e\u{301} 😀\u{200D}\u{2028}x\n",
      "{\"todos\":[\"no JSON here\"]}",
      " \t\n",
    ],
    words: [
      "\n", "\r\n", "- ", "* ", "[ ] ", "[x] ", "[X]", " ", "\t", "\u{FEFF}", "\u{301}", "\u{85}", "\u{A0}",
      "\u{200D}", "\u{3000}", "\u{FE0F}",
    ]
  ) { input, maker in
    let pieces = Shared(pieces(of: input, &maker))
    let app = try await TodoApp(
      lines: { _ in linesOfText { pieces.change { $0.popLast() ?? Data() } } }, show: { _ in })
    _ = app.run("add mine")
    let before = app.store.state.list.todos
    _ = app.run("import any")
    await app.finished()
    let (todos, screen) = (app.store.state.list.todos, app.store.state.display.screen)
    try promise(todos.first == before.first, "what was there is \(todos.first as Any)")
    let imported = todos.dropFirst().map { Entry(text: $0.text, isDone: $0.isDone) }
    let (entries, bad) = entries(of: input)
    try promise(imported == entries, "there are \(imported), and should be \(entries)")
    switch (screen, bad) {
    case (.imported(let count), nil): try promise(count == imported.count && count > 0, "imported \(count)")
    case (.trouble(let text), nil):
      try promise(imported.isEmpty && text == "There is nothing to do in \"any\".", text)
    case (.trouble(let text), let number?):
      try promise(text.contains(": line \(number) is not text in UTF-8."), "not line \(number): \(text)")
      try promise(text.contains(" Imported \(imported.count).") == !imported.isEmpty, text)
    default: throw BrokenPromise("it ends in \(screen), and the bad line is \(bad as Any)")
    }
    // The first to-do was not imported, and another undo removes it.
    if !imported.isEmpty { _ = app.run("undo") }
    try promise(app.store.state.list.todos == before, "undo leaves \(app.store.state.list.todos)")
    return bad != nil ? .refused("no text") : imported.isEmpty ? .refused("nothing to do") : .accepted
  }

  /// The input as it may come from a file, the first piece last.
  private static func pieces(of input: Data, _ maker: inout InputMaker) -> [Data] {
    var (pieces, rest) = ([Data](), input)
    let longest = maker.pick([1, 3, 20, Int.max])
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...longest, using: &maker.random))
      pieces.append(Data(piece))
      rest = rest.dropFirst(piece.count)
    }
    return pieces.reversed()
  }

  private struct Entry: Equatable {
    let text: String
    let isDone: Bool
  }

  /// The to-dos of an input up to the line that is not text, and the number of that line, starting
  /// from 1.
  private static func entries(of input: Data) -> (entries: [Entry], bad: Int?) {
    let form = /\s*(?:[-*] \s*)?(\[[xX ]\])?(.*)/.matchingSemantics(.unicodeScalar).dotMatchesNewlines()
    let text = input.dropFirst(input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    var entries: [Entry] = []
    for (place, bytes) in text.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      guard !bytes.contains(0), let line = String(validating: bytes, as: UTF8.self) else {
        return (entries, place + 1)
      }
      guard let (_, mark, rest) = line.wholeMatch(of: form)?.output else { continue }
      let words = rest.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
      if words.isEmpty { continue }
      entries.append(Entry(text: words.joined(separator: " "), isDone: mark?.lowercased() == "[x]"))
    }
    return (entries, nil)
  }
}
