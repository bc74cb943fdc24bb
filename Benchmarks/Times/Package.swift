// swift-tools-version: 6.1
import PackageDescription

// This is a separate package because it needs the network and a longer build, which the check of
// budgets does not need.
//
//     swift package --package-path Benchmarks/Times benchmark
let package = Package(
  name: "Times",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Benchmarks", path: ".."),
    // The traits are disabled, because they add allocators and run-times to the measured program.
    .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "Times",
      dependencies: [
        .product(name: "Workloads", package: "Benchmarks"), .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/Times",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ]
)
