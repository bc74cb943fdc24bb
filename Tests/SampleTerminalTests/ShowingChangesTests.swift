import SampleTerminal
import TestSupport
import Testing

@Suite("Repeated problems")
struct ShowingChangesTests {
  @Test("a problem is shown once while it stays the same, without control characters")
  func once() {
    let shown = Recorder<String>()
    let tell: @Sendable (String) -> Void = showingChanges { shown.record($0) }
    for problem in ["full", "full", "lo\u{1B}st", "full", "full"] { tell(problem) }
    #expect(shown.values == ["! full", "! lo\u{FFFD}st", "! full"])
  }
}
