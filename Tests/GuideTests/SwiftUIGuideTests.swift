import TestSupport
import Testing

@Suite("Sources/FluxUI/FluxUI.docc/SwiftUIViews.md")
struct SwiftUIGuideTests {
  @Test("every Swift example of the page is in the tests of the face of SwiftUI, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxUI/FluxUI.docc/SwiftUIViews.md").expectTested(
      in: "Tests/SwiftUIFace/Tests/Guide/SwiftUIExample.swift", atLeast: 10)
  }
}
