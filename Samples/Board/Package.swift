// swift-tools-version: 6.2
import PackageDescription

// The board is a separate package, so that packages that use Flux do not download the
// dependencies of the board.
//
// Without the trait `Postgres`, the build of the board does not need libpq.
let postgres = Target.Dependency.product(
  name: "FluxPostgres", package: "FluxPostgres", condition: .when(traits: ["Postgres"]))

let package = Package(
  name: "Board",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "board", targets: ["BoardProgram"])],
  traits: [
    .trait(name: "Postgres", description: "The option --postgres, which needs libpq.")
  ],
  dependencies: [
    .package(name: "Flux", path: "../.."),
    .package(name: "FluxPostgres", path: "../../Postgres"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "Board",
      dependencies: [
        .product(name: "Flux", package: "Flux"), .product(name: "FluxLog", package: "Flux"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      path: "Board", resources: [.copy("Pages")]),
    .executableTarget(
      name: "BoardProgram",
      dependencies: [
        "Board", postgres, .product(name: "FluxLog", package: "Flux"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Program"),
    .testTarget(
      name: "BoardTests",
      dependencies: [
        "Board", "BoardProgram", postgres, .product(name: "Flux", package: "Flux"),
        .product(name: "FluxLog", package: "Flux"), .product(name: "FluxTesting", package: "Flux"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      path: "Tests", exclude: ["Browser"]),
  ]
)

for target in package.targets {
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
