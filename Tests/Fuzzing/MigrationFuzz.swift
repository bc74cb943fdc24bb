import FluxMiddleware
import Foundation

private struct Unfit: Error {}

extension FuzzTarget {
  /// A chain of migrations over any JSON: values that no step changes are kept, and a file that a
  /// step refuses is set aside under a name with the reason.
  static let migrations = FuzzTarget(
    "migrations", examples: Shelf.examples, words: Shelf.words
  ) { input, maker in
    let direct = load(input, version: 1, steps: []).loaded
    let (moved, files) = load(
      input, version: 4,
      steps: [
        Migration(from: 3) { json in
          json["ratio"] = json["amount"]
          json["amount"] = nil
        },
        Migration(from: 1) { _ in },
        Migration(from: 2) { json in
          json["amount"] = json["ratio"]
          json["ratio"] = nil
        },
      ])
    if let value = moved.value {
      try promise(direct.value == value, "migrated to \(value), from \(direct.value as Any)")
    }
    let strict = load(input, version: 2, steps: [strictStep(&maker)])
    for problem in moved.problems + strict.loaded.problems {
      try promise(
        [.undecodable, .migrationFailed].contains(problem.code), "a migration ended in \(problem)")
      try promise(problem.setAsideAs != nil, "\(problem)")
    }
    try promise(files.files.values.contains(savedFile(version: 1, input)), "the old file is lost")
    if let value = moved.value {
      // The next start of the program finds the migrated file.
      let encoded = try JSONEncoder().encode(value)
      try promise(try JSONDecoder().decode(Shelf.self, from: encoded) == value, "it does not round-trip")
    }
    return moved.problems.first.map { .refused("\($0.code)") } ?? .accepted
  }

  private static func load(
    _ body: Data, version: Int, steps: [Migration]
  ) -> (loaded: Loaded<Shelf>, storage: InMemoryStorage) {
    let storage = InMemoryStorage(files: ["state.json": savedFile(version: 1, body)])
    let persistence = Persistence<Shelf, Shelf>(
      in: storage, version: version, migrations: steps, onProblem: { _ in })
    return (persistence.load(), storage)
  }

  /// A step that reads the JSON, and throws if an old program did not write it.
  private static func strictStep(_ maker: inout InputMaker) -> Migration {
    let place = Int.random(in: -1...3, using: &maker.random)
    return Migration(from: 1) { json in
      guard case .integer(let count)? = json["count"], case .array(let titles)? = json["titles"] else {
        throw Unfit()
      }
      json["count"] = .integer(count &+ titles.count)
      json["titles"]?[place] = nil
      json["extra"]?[place]?["x"] = .array(titles)
    }
  }
}
