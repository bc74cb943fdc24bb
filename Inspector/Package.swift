// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FluxInspector",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FluxInspector", targets: ["FluxInspector"])
  ],
  dependencies: [
    .package(name: "Flux", path: ".."),
    .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
  ],
  targets: [
    .target(
      name: "FluxInspector",
      dependencies: [
        .product(name: "FluxAsync", package: "Flux"), .product(name: "FluxCore", package: "Flux"),
        .product(name: "FluxLog", package: "Flux"), .product(name: "FluxMiddleware", package: "Flux"),
        .product(name: "FluxQuery", package: "Flux"),
        "FlyingFox", .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      resources: [.copy("Page")])
  ]
)

// Only in this repository: `publish` leaves out the lines from here
package.products.append(.executable(name: "sample", targets: ["sample"]))
package.targets += [
  .executableTarget(
    name: "sample",
    dependencies: [
      "FluxInspector", .product(name: "Flux", package: "Flux"), .product(name: "FluxLog", package: "Flux"),
    ], path: "Sample"),
  .executableTarget(
    name: "cost",
    dependencies: [
      "FluxInspector", .product(name: "FluxCore", package: "Flux"),
      .product(name: "FluxMiddleware", package: "Flux"),
    ], path: "Cost"),
  .testTarget(
    name: "FluxInspectorTests",
    dependencies: [
      "FluxInspector", .product(name: "Flux", package: "Flux"),
      .product(name: "FluxLog", package: "Flux"), .product(name: "FluxNavigation", package: "Flux"),
      .product(name: "FluxTesting", package: "Flux"),
      .product(name: "FlyingSocks", package: "FlyingFox"),
    ]),
]
// Continuous integration accepts no warnings.
if Context.environment["WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
}
// to here.

// The same settings as for the code of the root package.
for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
