// swift-tools-version: 6.2
import PackageDescription

// A separate package for tests. It compiles and runs the code of FluxUI that needs SwiftUI and
// Combine on systems without these frameworks. A stand-in replaces SwiftUI, and OpenCombine
// replaces Combine. README.md describes what these tests show and do not show.
//
// In one package, two targets cannot contain the same files. In one build, two modules cannot have
// the same name. Therefore this package builds the modules of Flux a second time, from the same
// files: `Modules` is a link to `Sources`.
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
      name: "FluxQuery", dependencies: ["FluxAsync", "FluxCollections", "FluxCore", "FluxLists"],
      path: "Modules/FluxQuery"),
    .target(
      name: "FluxUI", dependencies: ["FluxCore", "FluxAsync", "FluxQuery", "SwiftUI", "Combine"],
      path: "Modules/FluxUI"),
    .target(
      name: "FluxNavigation", dependencies: ["FluxUI", "FluxMiddleware", "FluxCore", "SwiftUI"],
      path: "Modules/FluxNavigation"),
    .target(
      name: "Flux",
      dependencies: [
        "FluxCore", "FluxCollections", "FluxMiddleware", "FluxAsync", "FluxLists", "FluxQuery", "FluxUI",
      ],
      path: "Modules/Flux"),
    .target(
      name: "FluxTesting", dependencies: ["FluxCore", "FluxAsync", "FluxMiddleware"],
      path: "Modules/FluxTesting"),
    .target(name: "TestSupport", dependencies: ["FluxCore"], path: "Support"),

    .testTarget(
      name: "FaceTests",
      dependencies: [
        "FluxNavigation", "FluxUI", "FluxQuery", "FluxAsync", "FluxCollections", "FluxCore", "FluxTesting",
        "SwiftUI", "Combine", "TestSupport",
      ],
      path: "Tests/Face"),

    // Views that use Flux as clients do, through its public interface. The views of the older
    // guides are in Swift 5 mode. `MainActorViews` is isolated to the main actor by default.
    .testTarget(
      name: "OlderGuideTests", dependencies: ["Flux", "FluxTesting", "SwiftUI", "TestSupport"],
      path: "Tests/OlderGuides",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "GuideTests", dependencies: ["Flux", "FluxNavigation", "SwiftUI", "TestSupport"],
      path: "Tests/Guide"),
    .testTarget(
      name: "MainActorViews", dependencies: ["Flux", "SwiftUI"], path: "Tests/MainActorViews",
      swiftSettings: [.defaultIsolation(MainActor.self)]),

    // A sample, whose package needs SwiftUI. `MoviesApp` is a link to its sources.
    .executableTarget(
      name: "MoviesApp", dependencies: ["Flux", "FluxNavigation", "SwiftUI"], path: "MoviesApp",
      resources: [.process("Resources")]),
    .testTarget(
      name: "MoviesAppTests",
      dependencies: ["MoviesApp", "Flux", "FluxNavigation", "FluxTesting", "SwiftUI", "TestSupport"],
      path: "Tests/MoviesApp"),
  ]
)

let users = ["OlderGuideTests", "GuideTests", "MainActorViews", "MoviesApp", "MoviesAppTests"]

for target in package.targets where !users.contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

// Continuous integration accepts no warnings.
if Context.environment["WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
