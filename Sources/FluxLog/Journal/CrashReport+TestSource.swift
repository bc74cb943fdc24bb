import Foundation

extension CrashReport {
  /// Returns the source of a test that reduces the recorded actions again, including the action
  /// that was being reduced when the program crashed.
  ///
  /// If the reducer crashed, the test crashes the same way. The test begins with the newest
  /// recorded state. Add it to a test target that depends on the module of the state.
  ///
  /// - Parameters:
  ///   - reducer: An expression for the reducer of the store, as a `MutatingReducer`, such as
  ///     `mutating(appReducer)`.
  ///   - actions: An expression for the registry of the actions.
  ///   - state: The type of the state. The default is the type that was recorded.
  /// - Throws: ``LogError/Code/notRecorded`` if an action or the state is missing.
  public func testSource(
    reducer: String = "appReducer", actions: String = "registry", state: String? = nil
  ) throws(LogError) -> String {
    let (snapshot, entries) = try recorded(upTo: entries.count)
    let parts = snapshot.record.name.text.split(separator: ".", maxSplits: 1).map(String.init)
    let state = state ?? parts.last ?? "AppState"
    let module = parts.count == 2 ? "\n@testable import \(parts[0])\n" : ""
    let end =
      interruptedEntry == nil
      ? "The program ended after the last action." : "The program ended while it reduced the last action."
    let lines = entries.map { "\($0.entry.name)\t\(String(decoding: $0.entry.json, as: UTF8.self))" }
    let json = String(decoding: snapshot.record.contents, as: UTF8.self)
    return """
      import FluxCore
      import FluxMiddleware
      import Foundation
      import Testing
      \(module)
      @Test("the reducer can reduce the actions before a crash")
      func reducesActionsBeforeCrash() throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        var recordedState = try decoder.decode(\(state).self, from: Data(\(Self.literal([json])).utf8))
        // Each line contains the name of an action, a tab, and the action.
        // \(end)
        let recordedActions = \(Self.literal(lines))
        for line in recordedActions.split(separator: "\\n") {
          let parts = line.split(separator: "\\t", maxSplits: 1)
          let action = try \(actions).decode(String(parts[0]), from: Data(parts[1].utf8))
          \(reducer)(&recordedState, action)
        }
      }

      """
  }

  /// Returns lines of text as a literal of several lines that contains no escape of the text.
  private static func literal(_ lines: [String]) -> String {
    var longest = 0
    var run = 0
    for line in lines {
      for character in line.unicodeScalars {
        run = character == "#" ? run + 1 : 0
        longest = max(longest, run)
      }
      run = 0
    }
    let marks = String(repeating: "#", count: longest + 1)
    let escaped = lines.map { line in
      line.unicodeScalars.reduce(into: "    ") { text, character in
        if character.value < 0x20 && character != "\t" || character.value == 0x7F {
          text += "\\\(marks)u{\(String(character.value, radix: 16))}"
        } else {
          text.unicodeScalars.append(character)
        }
      }
    }
    return "\(marks)\"\"\"\n\(escaped.joined(separator: "\n"))\n    \"\"\"\(marks)"
  }
}
