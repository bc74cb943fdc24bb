// swift-tools-version: 6.2
import PackageDescription

let flux: [Target.Dependency] = [
  "FluxCore", "FluxCollections", "FluxMiddleware", "FluxAsync", "FluxLists", "FluxLog",
  "FluxNavigation", "FluxQuery", "FluxTesting",
].map { name in .product(name: name, package: "Flux") }

// The benchmarks are a separate package, so that clients of Flux do not get its dependencies. The
// package needs no network. The package Times measures times, and needs the network.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Workloads", targets: ["Workloads"])],
  dependencies: [.package(name: "Flux", path: "..")],
  targets: [
    .target(
      name: "Workloads", dependencies: flux + ["Meter"],
      path: "Workloads"),
    .target(name: "Meter", path: "Meter"),
    .executableTarget(name: "Driver", dependencies: ["Workloads", "Meter"], path: "Driver"),
    .executableTarget(
      name: "Soak", dependencies: flux + ["Meter"], path: "Soak"),
  ]
)

for target in package.targets where target.name != "Meter" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
