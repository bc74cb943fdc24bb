package import FluxLog
import SampleTerminal

extension CrashReport {
  /// The end of the previous run, in two lines for the user.
  package var notice: String {
    let entries = entries.suffix(1).map { "\($0)".tame }
    let end: String
    switch (entries.first, interruptedEntry) {
    case (nil, _): end = "was ended before a mark was changed."
    case (let last?, let interrupted?):
      end = "crashed after \(count(interrupted, of: "change")) of marks, during \(last)"
    case (let last?, nil):
      end =
        "was ended after \(count(self.entries.count, of: "change")) of marks, the last of which was \(last)"
    }
    return """
      ! The previous run \(end)
      ! movies --crash-report shows the changes, and movies --forget-crash removes the report.
      """
  }

  /// The report for the user: the newest changes, the marks before the crash, and the source of a
  /// test that repeats all changes.
  package var text: String {
    let newest = entries.enumerated().suffix(20).map { index, entry in
      "\(index == interruptedEntry ? "!" : " ") \(index + 1)  \("\(entry)".tame)"
    }
    let marks: String
    let source: String
    do {
      let state: BrowserState.Marks = try replay(into: repeatingMarks(), with: markActions)
      marks = "To see: \(list(state.wished))\nSeen: \(list(state.seen))"
      source = try testSource(reducer: "repeatedMarks", actions: "markActions")
    } catch {
      return (problems.map(\.description) + newest + ["\(error)"]).joined(separator: "\n")
    }
    let sections = [
      problems.map(\.description).joined(separator: "\n"),
      (["The changes of marks (! was not finished):"] + newest).joined(separator: "\n"),
      "The marks after the last finished change:\n\(marks)",
      "A test that repeats the changes:\n\n\(source)",
    ]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func list(_ films: [Int]) -> String {
    films.isEmpty ? "nothing" : films.map(String.init).joined(separator: ", ")
  }

  private func count(_ count: Int, of thing: String) -> String {
    "\(count) \(thing)\(count == 1 ? "" : "s")"
  }
}
