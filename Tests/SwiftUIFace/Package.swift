// swift-tools-version: 6.2
import PackageDescription

// A package of its own for tests: the parts of FluxUI that need SwiftUI and Combine, compiled and
// run where these do not exist. A stand-in takes the place of SwiftUI, and OpenCombine that of
// Combine. README.md says what that shows, and what it does not.
//
// The package manager takes no two targets over the same files into one package, and no two modules of one name into one
// build. So the modules of Flux are built here a second time, from the same files: `Modules` leads to `Sources`.
let package = Package(
  name: "SwiftUIFace",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
  targets: [
    .target(
      name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")], path: "Combine"),
    .target(name: "SwiftUI", dependencies: ["Combine"], path: "SwiftUI"),
    .target(name: "FluxCore", path: "Modules/FluxCore"),
    .target(name: "FluxCollections", dependencies: ["FluxCore"], path: "Modules/FluxCollections"),
    .target(name: "FluxMiddleware", dependencies: ["FluxCore"], path: "Modules/FluxMiddleware"),
    .target(name: "FluxAsync", dependencies: ["FluxCore"], path: "Modules/FluxAsync"),
    .target(
      name: "FluxLists", dependencies: ["FluxAsync", "FluxCollections", "FluxCore"],
      path: "Modules/FluxLists"),
    .target(
      name: "FluxUI", dependencies: ["FluxCore", "FluxAsync", "SwiftUI", "Combine"], path: "Modules/FluxUI"),
    .target(
      name: "Flux",
      dependencies: ["FluxCore", "FluxCollections", "FluxMiddleware", "FluxAsync", "FluxLists", "FluxUI"],
      path: "Modules/Flux"),
    .target(
      name: "FluxTesting", dependencies: ["FluxCore", "FluxAsync", "FluxMiddleware"],
      path: "Modules/FluxTesting"),
    .target(name: "TestSupport", path: "Support"),

    .testTarget(
      name: "FaceTests",
      dependencies: [
        "FluxUI", "FluxAsync", "FluxCollections", "FluxCore", "SwiftUI", "Combine", "TestSupport",
      ],
      path: "Tests/Face"),

    // Views of users, who import what they use and know nothing of how it is made: those of the older guides as they were
    // written, in Swift 5 mode, and others with main-actor isolation by default.
    .testTarget(
      name: "OlderGuideTests", dependencies: ["Flux", "FluxTesting", "SwiftUI", "TestSupport"],
      path: "Tests/OlderGuides",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "GuideTests", dependencies: ["Flux", "SwiftUI"], path: "Tests/Guide"),
    .testTarget(
      name: "MainActorViews", dependencies: ["Flux", "SwiftUI"], path: "Tests/MainActorViews",
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ]
)

let users = ["OlderGuideTests", "GuideTests", "MainActorViews"]

for target in package.targets where !users.contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
