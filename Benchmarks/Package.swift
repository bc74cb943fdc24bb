// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nothing it depends on reaches those who use Flux. It needs no network: what
// takes times, which does, is a package beside it, in Times.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Workloads", targets: ["Workloads"])],
  dependencies: [.package(name: "Flux", path: "..")],
  targets: [
    .target(
      name: "Workloads",
      dependencies: [
        .product(name: "FluxCore", package: "Flux"), .product(name: "FluxCollections", package: "Flux"),
        .product(name: "FluxMiddleware", package: "Flux"), .product(name: "FluxAsync", package: "Flux"),
      ],
      path: "Workloads"),
    .target(name: "Meter", path: "Meter"),
    .executableTarget(name: "Driver", dependencies: ["Workloads", "Meter"], path: "Driver"),
  ]
)

for target in package.targets where target.name != "Meter" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
