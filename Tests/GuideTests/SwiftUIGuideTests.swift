import TestSupport
import Testing

@Suite("Sources/FluxUI/FluxUI.docc/SwiftUIViews.md")
struct SwiftUIGuideTests {
  @Test("every Swift example in it stands in the tests of the face of SwiftUI, to the letter")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxUI/FluxUI.docc/SwiftUIViews.md").expectTested(
      in: "Tests/SwiftUIFace/Tests/Guide/SwiftUIExample.swift", atLeast: 10)
  }
}
