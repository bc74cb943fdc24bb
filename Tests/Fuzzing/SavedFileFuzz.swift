import FluxCore
import FluxMiddleware
import Foundation
import TestSupport

/// The saved value.
struct Shelf: FluxState, Codable, Equatable {
  var count = 0
  var ratio = 0.5
  var titles: [String] = []
  var note: String?
  var extra: JSONValue?

  static let examples = [
    #"{"count":3,"ratio":0.25,"titles":["a","b"],"note":"n","extra":{"deep":[1,2.5,"x",null,true]}}"#,
    #"{"count":-1,"ratio":1e-9,"titles":[]}"#,
    #"{"count":0,"ratio":123456789.123456789,"titles":["😀","\u0000"],"extra":0.1}"#,
  ]
  static let words = ["count", "ratio", "titles", "note", "extra"]
}

private struct Count: Action {}

private let shelfReducer: MutatingReducer<Shelf> = { shelf, action in
  if action is Count { shelf.count &+= 1 }
}

/// Writes the documented envelope of a saved state, so that its content is tested too.
func savedFile(version: Int, _ body: Data) -> Data {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in Array("\(version)\n".utf8) + Array(body) {
    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
  let digits = String(hash, radix: 16)
  let checksum = String(repeating: "0", count: 16 - digits.count) + digits
  let header = """
    {"format":"flux-state","version":\(version),"length":\(body.count),"checksum":"\(checksum)"}

    """
  return Data(header.utf8) + body
}

extension FuzzTarget {
  private static let good = savedFile(version: 1, Data(Shelf.examples[0].utf8))

  /// `Persistence`, on files any of which may be bad: no file is lost, the newest valid one is
  /// loaded, and later saves succeed.
  static let savedFiles = FuzzTarget(
    "saved files", examples: Shelf.examples,
    words: Shelf.words + ["flux-state", "version", "length", "checksum", "format", "\n"]
  ) { input, maker in
    var files = ["state.json": file(around: input, &maker)]
    let previous = maker.oneIn(2) ? good : file(around: maker.next(), &maker)
    if !maker.oneIn(4) { files["state.previous.json"] = previous }
    if maker.oneIn(3) { files["state.json.partial"] = file(around: maker.next(), &maker) }
    if maker.oneIn(4) { files["state.corrupt-1.json"] = input }
    let storage = InMemoryStorage(files: files)
    let problems = Recorder<PersistenceError>()
    let persistence = Persistence<Shelf, Shelf>(in: storage, onProblem: { problems.record($0) })
    let loaded = persistence.load()
    try promise(problems.values == loaded.problems, "what was reported is not what was returned")
    try promise((loaded.value == nil) == (loaded.origin == .nothing), "a value comes from nowhere")
    try expectSetAside(loaded.problems, files, storage)
    if files["state.previous.json"] == good, files["state.json.partial"] == nil {
      try promise(loaded.value != nil, "the good previous generation was not loaded")
    }
    // No problem is left to report, and the loaded state is loaded again.
    let second = persistence.load()
    try promise(second.problems.isEmpty && second.value == loaded.value, "a second load differs")
    let count = try save(with: persistence, from: loaded.value)
    let third = Persistence<Shelf, Shelf>(in: storage, onProblem: { _ in }).load()
    try promise(third.value?.count == count && third.problems.isEmpty, "what was saved is not loaded")
    try expectSetAside(loaded.problems, files, storage)
    return loaded.problems.first.map { .refused("\($0.code)") } ?? .accepted
  }

  /// Files of other versions, and with other bytes than their header requires, are bad as well.
  private static func file(around body: Data, _ maker: inout InputMaker) -> Data {
    // The input is already a whole file.
    if body.starts(with: Data("{\"format\"".utf8)) { return body }
    switch Int.random(in: 0..<8, using: &maker.random) {
    case 0: return body
    case 1: return savedFile(version: maker.pick([0, -1, 2, .max, .min]), body)
    case 2, 3:
      var bytes = savedFile(version: 1, body)
      maker.scratch(&bytes)
      return bytes
    default: return savedFile(version: 1, body)
    }
  }

  private static func expectSetAside(
    _ problems: [PersistenceError], _ files: [String: Data], _ storage: InMemoryStorage
  ) throws {
    for problem in problems {
      guard let name = problem.setAsideAs else { throw BrokenPromise("\(problem)") }
      try promise(storage.files[name] != nil, "\(name) is not there: \(problem)")
      // A complete file of an interrupted save is put in place first, so that a file may come from
      // it.
      try promise(
        files.values.contains { $0 == storage.files[name] }, "\(name) is not as it was: \(problem)")
    }
    if let old = files["state.corrupt-1.json"] {
      try promise(storage.files["state.corrupt-1.json"] == old, "what was set aside earlier is gone")
    }
  }

  /// Changes the state, saves it, and returns the count that has to be on disk.
  private static func save(with persistence: Persistence<Shelf, Shelf>, from shelf: Shelf?) throws -> Int {
    let store = Store(reducer: shelfReducer, plugins: [persistence.plugin], state: shelf ?? Shelf())
    store.dispatch(Count())
    try persistence.flush()
    return store.state.count
  }
}
