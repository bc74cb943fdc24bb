// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "MoviesApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "Flux", path: "../..")],
  targets: [
    .executableTarget(
      name: "MoviesApp",
      dependencies: [
        .product(name: "Flux", package: "Flux"), .product(name: "FluxNavigation", package: "Flux"),
      ],
      path: "Sources", resources: [.process("Resources")])
  ]
)
