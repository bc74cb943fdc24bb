// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nothing it depends on reaches those who use Flux.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Flux", path: "..")],
  targets: [
    .executableTarget(
      name: "InstructionCounts",
      dependencies: [
        .product(name: "FluxCore", package: "Flux"), .product(name: "FluxCollections", package: "Flux"),
        .product(name: "FluxMiddleware", package: "Flux"), .product(name: "FluxAsync", package: "Flux"),
      ],
      path: "InstructionCounts")
  ]
)
