import Flux
import FluxInspector
import FluxLog
import Foundation

// A program that dispatches actions by itself, so that its page has something to show. It
// writes the page's address to standard error, and the contents of its library to standard
// output after each change.
//
//     sample [--port NUMBER] [--every MILLISECONDS] [--actions NUMBER] [--journal DIRECTORY]
//
// With `--every 0` it dispatches nothing by itself. `--actions` is the initial number of
// actions. With `--journal`, the actions of the library are recorded, and the page also shows the
// library before the last crash.

let options = Options(CommandLine.arguments.dropFirst())
let inspector = Inspector(port: options.port, program: "sample", isEnabled: true, noting: .always)
let secrets = Redaction.fields("password")
let folder = options.journal.map { URL(filePath: $0, directoryHint: .isDirectory) }
let journal: [Plugin<Library>] =
  try folder.map { [try .journal(in: $0, actions: libraryActions, redacting: secrets)] } ?? []
let library = Store(
  reducer: libraryReducer,
  plugins: journal + [
    inspector.plugin(named: "Library", actions: libraryActions, redacting: secrets)
  ], state: Library())
let screen = Store(
  reducer: screenReducer, plugins: [inspector.plugin(named: "Screen", actions: screenActions)],
  state: Screen())
let catalog = Store(
  reducer: { (_: inout Catalog, _) in },
  plugins: [inspector.plugin(named: "Catalog"), QuerySlice(at: \Catalog.queries).plugin], state: Catalog())
let observers = (catalog.observe(AllFilms()) { _ in }, catalog.observe(FilmTitle(id: 1)) { _ in })

if let folder, let report = try CrashReport.load(from: folder) {
  try inspector.show(
    report, named: "Library before the crash", actions: libraryActions, redacting: secrets,
    reducer: libraryReducer.reducer)
}

let token = library.subscribe { library in
  let line =
    "\(library.films.count) films, \(library.films.count { $0.isSeen }) seen, \(library.seconds) seconds\n"
  FileHandle.standardOutput.write(Data(line.utf8))
}

/// Dispatches the action of one turn, as a user of the program would.
func use(_ turn: Int) {
  let film = turn / 5 + 1
  switch turn % 5 {
  case 0: library.dispatch(AddFilm(title: Library.titles[film % 10], rating: Double(turn % 50) / 10))
  case 1: library.dispatch(SeeFilm(id: film))
  case 2: library.dispatch(Tag(film: film, tag: film % 2 == 0 ? "classics" : "tonight"))
  case 3: library.dispatch(SecondPassed())
  default:
    screen.dispatch(Show(name: film % 2 == 0 ? "films" : "tags"))
    observers.1.query = FilmTitle(id: film)
    if film % 3 == 0 { catalog.mutate(CorrectTitle(id: film, title: "Film \(film)")) }
  }
}

library.dispatch(SignIn(name: "Ada", password: "enchantress"))
for turn in 0..<options.actions { use(turn) }
var turn = options.actions
while true {
  try await Task.sleep(for: .milliseconds(options.every > 0 ? options.every : 1_000))
  guard options.every > 0 else { continue }
  use(turn)
  turn += 1
}
