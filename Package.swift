// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Flux",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Flux", targets: ["Flux"]),
    .library(name: "FluxCore", targets: ["FluxCore"]),
    .library(name: "FluxCollections", targets: ["FluxCollections"]),
    .library(name: "FluxMiddleware", targets: ["FluxMiddleware"]),
    .library(name: "FluxAsync", targets: ["FluxAsync"]),
    .library(name: "FluxLists", targets: ["FluxLists"]),
    .library(name: "FluxQuery", targets: ["FluxQuery"]),
    .library(name: "FluxLog", targets: ["FluxLog"]),
    .library(name: "FluxNavigation", targets: ["FluxNavigation"]),
    .library(name: "FluxUI", targets: ["FluxUI"]),
    .library(name: "FluxTesting", targets: ["FluxTesting"]),
  ],
  targets: [
    .target(name: "FluxCore"),
    .target(name: "FluxCollections", dependencies: ["FluxCore"]),
    .target(name: "FluxMiddleware", dependencies: ["FluxCore"]),
    .target(name: "FluxAsync", dependencies: ["FluxCore"]),
    .target(name: "FluxLists", dependencies: ["FluxAsync", "FluxCollections", "FluxCore"]),
    .target(name: "FluxQuery", dependencies: ["FluxAsync", "FluxCollections", "FluxCore", "FluxLists"]),
    .target(name: "FluxLog", dependencies: ["FluxAsync", "FluxCore", "FluxMiddleware"]),
    .target(name: "FluxNavigation", dependencies: ["FluxUI", "FluxMiddleware", "FluxCore"]),
    .target(name: "FluxUI", dependencies: ["FluxCore", "FluxAsync", "FluxQuery"]),
    .target(
      name: "Flux",
      dependencies: [
        "FluxCore", "FluxCollections", "FluxMiddleware", "FluxAsync", "FluxLists", "FluxQuery", "FluxUI",
      ]),
    .target(name: "FluxTesting", dependencies: ["FluxCore", "FluxAsync", "FluxMiddleware"]),

    // Tests
    .target(name: "TestSupport", dependencies: ["FluxCore"], path: "Tests/Support"),
    .testTarget(name: "FluxCoreTests", dependencies: ["FluxCore", "TestSupport"]),
    .testTarget(name: "FluxCollectionsTests", dependencies: ["FluxCollections", "FluxCore", "TestSupport"]),
    .testTarget(
      name: "FluxMiddlewareTests",
      dependencies: [
        "FluxMiddleware", "FluxAsync", "FluxLists", "FluxCollections", "FluxCore", "FluxTesting",
        "TestSupport", "LoggingClient",
      ]),
    .testTarget(
      name: "HistoryTests", dependencies: ["FluxMiddleware", "FluxCore", "FluxTesting", "TestSupport"]),
    .testTarget(
      name: "FeatureTests",
      dependencies: ["FluxMiddleware", "FluxAsync", "FluxCore", "FluxTesting", "TestSupport"]),
    .testTarget(
      name: "PersistenceTests",
      dependencies: ["FluxMiddleware", "FluxCore", "FluxTesting", "TestSupport", "PersistenceVictim"]),
    .executableTarget(
      name: "PersistenceVictim", dependencies: ["FluxMiddleware", "FluxCore"], path: "Tests/PersistenceVictim"
    ),
    .testTarget(
      name: "FluxTestingTests",
      dependencies: ["FluxTesting", "FluxAsync", "FluxMiddleware", "FluxCore", "TestSupport"]),
    .testTarget(
      name: "FluxAsyncTests",
      dependencies: ["FluxAsync", "FluxMiddleware", "FluxCore", "FluxTesting", "TestSupport"]),
    .testTarget(
      name: "ListenerTests", dependencies: ["FluxAsync", "FluxCore", "FluxTesting", "TestSupport"]),
    .testTarget(name: "StreamTests", dependencies: ["FluxAsync", "FluxCore", "FluxTesting", "TestSupport"]),
    .testTarget(
      name: "ListTests",
      dependencies: ["FluxLists", "FluxAsync", "FluxCollections", "FluxCore", "FluxTesting", "TestSupport"]),
    .testTarget(
      name: "QueryTests",
      dependencies: [
        "FluxQuery", "FluxAsync", "FluxMiddleware", "FluxCollections", "FluxCore", "FluxLists",
        "FluxTesting", "TestSupport",
      ]),
    .testTarget(
      name: "LogTests",
      dependencies: [
        "FluxLog", "FluxAsync", "FluxMiddleware", "FluxCore", "FluxTesting", "TestSupport", "JournalVictim",
        "SyncVictim", "UndoVictim",
      ]),
    .testTarget(
      name: "NavigationTests",
      dependencies: [
        "FluxNavigation", "FluxUI", "FluxAsync", "FluxMiddleware", "FluxCore", "FluxTesting", "TestSupport",
      ]),
    .executableTarget(
      name: "JournalVictim", dependencies: ["FluxLog", "FluxMiddleware", "FluxCore"],
      path: "Tests/JournalVictim"),
    .executableTarget(
      name: "SyncVictim", dependencies: ["FluxLog", "FluxMiddleware", "FluxCore"], path: "Tests/SyncVictim"),
    .executableTarget(
      name: "UndoVictim", dependencies: ["FluxLog", "FluxMiddleware", "FluxCore"], path: "Tests/UndoVictim"),
    .testTarget(
      name: "FluxUITests",
      dependencies: ["FluxUI", "FluxQuery", "FluxAsync", "FluxCollections", "FluxCore", "TestSupport"]),
    .testTarget(name: "MisuseTests", dependencies: ["FluxCore", "FluxMiddleware", "TestSupport"]),
    .executableTarget(
      name: "LoggingClient", dependencies: ["FluxMiddleware", "FluxCore"], path: "Tests/Clients/LoggingClient"
    ),
  ]
)

// The samples, the guides, and the programs that use Flux as clients do. A run under a sanitizer
// leaves them out: a build takes half the time, and a run without a sanitizer tests them.
if Context.environment["ONLY_MODULES"] == nil {
  package.targets += [
    .target(name: "SampleTerminal", path: "Samples/Terminal"),
    .target(
      name: "SampleTerminalViews", dependencies: ["Flux", "SampleTerminal"], path: "Samples/TerminalViews"),
    .target(
      name: "MovieBrowser",
      dependencies: ["Flux", "FluxLog", "FluxNavigation", "SampleTerminal", "SampleTerminalViews"],
      path: "Samples/Movies/Browser", resources: [.copy("Pages")]),
    .executableTarget(
      name: "movies",
      dependencies: ["MovieBrowser", "Flux", "FluxLog", "SampleTerminal", "SampleTerminalViews"],
      path: "Samples/Movies/Program"),
    .target(
      name: "TodoList", dependencies: ["Flux", "FluxLog", "SampleTerminal"], path: "Samples/Todos/List"),
    .executableTarget(
      name: "todos", dependencies: ["TodoList", "Flux", "SampleTerminal"], path: "Samples/Todos/Program"),
    .target(
      name: "BookShelf", dependencies: ["Flux", "FluxNavigation", "SampleTerminal"],
      path: "Samples/Books/Shelf",
      resources: [.copy("Resources")]),
    .executableTarget(
      name: "books", dependencies: ["BookShelf", "Flux", "SampleTerminal"], path: "Samples/Books/Program"),
    .testTarget(
      name: "MovieTests",
      dependencies: [
        "MovieBrowser", "movies", "Flux", "FluxLog", "FluxNavigation", "FluxTesting", "SampleTerminal",
        "SampleTerminalViews", "TestSupport",
      ],
      resources: [.copy("Expected")]),
    .testTarget(
      name: "TodoTests",
      dependencies: ["TodoList", "todos", "Flux", "FluxLog", "SampleTerminal", "TestSupport"],
      resources: [.copy("Expected")]),
    .testTarget(
      name: "BookTests",
      dependencies: [
        "BookShelf", "books", "Flux", "FluxNavigation", "FluxTesting", "SampleTerminal", "TestSupport",
      ],
      resources: [.copy("Expected")]),
    .testTarget(name: "SampleTerminalTests", dependencies: ["SampleTerminal", "TestSupport"]),
    .testTarget(
      name: "SampleTerminalViewsTests", dependencies: ["SampleTerminalViews", "Flux", "TestSupport"]),
    .testTarget(
      name: "CompilerTests", dependencies: ["Flux", "TestSupport", "movies"], exclude: ["Code"]),

    .testTarget(
      name: "GuideTests",
      dependencies: ["Flux", "FluxNavigation", "FluxTesting", "GettingStarted", "TestSupport"]),
    .testTarget(
      name: "ConformanceTests", dependencies: ["Flux", "FluxTesting", "TestSupport"],
      exclude: ["document", "Verdicts"]),

    .target(
      name: "Fuzzing",
      dependencies: [
        "FluxLog", "FluxNavigation", "FluxAsync", "FluxMiddleware", "FluxCollections", "FluxCore",
        "MovieBrowser", "TodoList", "TestSupport",
      ],
      path: "Tests/Fuzzing"),
    .testTarget(
      name: "FuzzTests", dependencies: ["Fuzzing", "TestSupport"], resources: [.copy("Corpus")]),
    .executableTarget(name: "FuzzProgram", dependencies: ["Fuzzing"], path: "Tests/FuzzProgram"),

    // Programs that use Flux as clients do: through its public interface, without testable imports.
    .testTarget(
      name: "Swift5Client", dependencies: ["Flux"], path: "Tests/Clients/Swift5Client",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "Swift6Client", dependencies: ["Flux"], path: "Tests/Clients/Swift6Client"),
    .testTarget(
      name: "MainActorClient", dependencies: ["Flux", "FluxNavigation"],
      path: "Tests/Clients/MainActorClient",
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .executableTarget(name: "GettingStarted", dependencies: ["Flux"], path: "Tests/Clients/GettingStarted"),
    .executableTarget(
      name: "CommandLineClient", dependencies: ["Flux"], path: "Tests/Clients/CommandLineClient"),
    .testTarget(
      name: "CommandLineClientTests", dependencies: ["CommandLineClient", "TestSupport"],
      path: "Tests/Clients/CommandLineClientTests"),
    .testTarget(name: "SwiftUIFluxApp", dependencies: ["Flux"], path: "Tests/Clients/SwiftUIFluxApp"),
    .testTarget(
      name: "SwiftUIFluxAppSwift5", dependencies: ["Flux"], path: "Tests/Clients/SwiftUIFluxAppSwift5",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "SwiftUIFluxPodcasts", dependencies: ["Flux"], path: "Tests/Clients/SwiftUIFluxPodcasts",
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
}

// A run can leave out targets by their names.
if let left = Context.environment["WITHOUT_TARGETS"]?.split(separator: " ") {
  package.targets.removeAll { target in left.contains { target.name == $0 } }
  package.products.removeAll { product in left.contains { product.name == $0 } }
}

// A run under a sanitizer leaves out the folders whose tests explore models on one thread.
if Context.environment["WITHOUT_MODELS"] != nil {
  let folders = [
    "FluxCoreTests": ["Delivery", "Work"], "FeatureTests": ["Explored"], "FluxTestingTests": ["Explored"],
    "HistoryTests": ["Explored"], "LogTests": ["Explored"], "PersistenceTests": ["Explored"],
    "QueryTests": ["Explored"],
  ]
  for target in package.targets { target.exclude += folders[target.name] ?? [] }
}

// A run that tests only the files of logs leaves out the replicas, and the histories in logs.
if Context.environment["WITHOUT_REPLICAS"] != nil {
  for target in package.targets where target.name == "LogTests" {
    target.exclude += [
      "History", "Replica", "LogGuideTests.swift", "LogLifetimeTests.swift", "RenamedActionTests.swift",
    ]
  }
}

// This target can be linked only with libFuzzer, which contains the `main` function. See
// Benchmarks/fuzz.
if Context.environment["GUIDED_FUZZING"] != nil {
  package.targets.append(
    .executableTarget(name: "GuidedFuzzing", dependencies: ["Fuzzing"], path: "Tests/GuidedFuzzing"))
}

// The code of the package uses stricter compiler settings than clients have to use.
for target in package.targets where target.path?.hasPrefix("Tests/Clients") != true {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Continuous integration accepts no warnings. Other builds accept them, because a newer compiler
// may have new warnings.
if Context.environment["WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
