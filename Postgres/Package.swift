// swift-tools-version: 6.2
import PackageDescription

// The log in PostgreSQL is a separate package, so that packages that use Flux do not need libpq.
let package = Package(
  name: "FluxPostgres",
  platforms: [.macOS(.v15)],
  products: [.library(name: "FluxPostgres", targets: ["FluxPostgres"])],
  dependencies: [.package(name: "Flux", path: "..")],
  targets: [
    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "FluxPostgres", dependencies: ["CLibPQ", .product(name: "FluxLog", package: "Flux")]),
    .executableTarget(
      name: "LogProgram", dependencies: ["FluxPostgres", .product(name: "FluxLog", package: "Flux")],
      path: "Tests/LogProgram"),
    .testTarget(
      name: "FluxPostgresTests",
      dependencies: ["FluxPostgres", "LogProgram", .product(name: "FluxLog", package: "Flux")]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

// Continuous integration accepts no warnings.
if Context.environment["WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
