// swift-tools-version: 6.1
import PackageDescription

// A package of its own, since it needs the network and a longer build: budgets are checked without either.
//
//     swift package --package-path Benchmarks/Times benchmark
let package = Package(
  name: "Times",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Benchmarks", path: ".."),
    // Without its traits, which would bring allocators and run-times of their own into what is measured.
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
