// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Flux",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Flux", targets: ["Flux"]),
    .library(name: "FluxCore", targets: ["FluxCore"]),
    .library(name: "FluxMiddleware", targets: ["FluxMiddleware"]),
    .library(name: "FluxAsync", targets: ["FluxAsync"]),
    .executable(name: "movies", targets: ["movies"]),
  ],
  targets: [
    .target(name: "FluxCore"),
    .target(name: "FluxMiddleware", dependencies: ["FluxCore"]),
    .target(name: "FluxAsync", dependencies: ["FluxCore"]),
    .target(name: "Flux", dependencies: ["FluxCore", "FluxMiddleware", "FluxAsync"]),

    // Samples
    .target(
      name: "MovieBrowser", dependencies: ["Flux"], path: "Samples/Movies/Browser",
      resources: [.copy("Pages")]),
    .executableTarget(name: "movies", dependencies: ["MovieBrowser"], path: "Samples/Movies/Program"),

    // Tests
    .testTarget(name: "FluxCoreTests", dependencies: ["FluxCore"]),
  ]
)

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
