import SampleTerminal
import TestSupport
import Testing

@Suite("What goes wrong again and again")
struct ShowingChangesTests {
  @Test("a problem is shown once for as long as it stays the same, tame")
  func once() {
    let shown = Recorder<String>()
    let tell: @Sendable (String) -> Void = showingChanges { shown.record($0) }
    for problem in ["full", "full", "lo\u{1B}st", "full", "full"] { tell(problem) }
    #expect(shown.values == ["! full", "! lo\u{FFFD}st", "! full"])
  }
}
