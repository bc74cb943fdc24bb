import TestSupport
import Testing

@Test("a command-line program shows the values that its top-level subscription on the main actor received")
func commandLineClientRuns() throws {
  let text = try output(ofProgramNamed: "CommandLineClient")
  #expect(text == "shown first 0, last 2\n")
}
