import SampleTerminal
import TestSupport
import Testing

@Suite("A prompt")
struct PromptTests {
  @Test("the prompt appears when the last running command has ended, in any order of their ends")
  func last() async {
    let shown = Recorder<String>()
    let prompt = Prompt { shown.record("> ") }
    let (first, second) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
    prompt.commandBegins()
    prompt.commandBegins()
    let one = prompt.commandEnds { for await _ in first.stream {} }
    let other = prompt.commandEnds { for await _ in second.stream {} }
    second.continuation.finish()
    await other.value
    #expect(shown.values.isEmpty)
    first.continuation.finish()
    await one.value
    #expect(shown.values == ["> "])
  }
}
