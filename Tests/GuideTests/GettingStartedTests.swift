import Flux
import TestSupport
import Testing

@Suite("Sources/Flux/Flux.docc/GettingStarted.md")
struct GettingStartedTests {
  private static let page = "Sources/Flux/Flux.docc/GettingStarted.md"

  @Test("its program prints what the page says, step by step")
  func program() throws {
    let text = try output(ofProgramNamed: "GettingStarted")
    #expect(try GuideExamples(of: Self.page).output == text)
  }

  @Test("every Swift example of the page and of the overview is in the program or in an earlier step of it")
  func examplesAreTested() throws {
    try GuideExamples(of: Self.page).expectTested(
      in: "Tests/Clients/GettingStarted/Shopping.swift", "Tests/Clients/GettingStarted/main.swift",
      "Tests/Clients/GettingStarted/Earlier.swift", atLeast: 9)
    try GuideExamples(of: "Sources/Flux/Flux.docc/Flux.md").expectTested(
      in: "Tests/Clients/GettingStarted/Earlier.swift", atLeast: 1)
  }
}
