import Flux
import FluxLog
import Foundation
import MovieBrowser
import SampleTerminal

/// The plug-ins of a run, and the end of the previous run.
struct JournaledRun {
  let plugins: [Plugin<BrowserState>]
  /// The lines about the previous run, or `nil` if it ended normally.
  let notice: String?

  /// Begins the journal of a run.
  ///
  /// Without a folder, the run has no journal.
  init(forTour isTour: Bool) {
    var plugins: [Plugin<BrowserState>] = []
    var notices: [String] = []
    if let folder = journalFolder(forTour: isTour) {
      do {
        if let report = try CrashReport.load(from: folder) { notices.append(report.notice) }
      } catch {
        notices.append("! \("\(error)".tame)")
      }
      do {
        plugins.append(try .markJournal(in: folder))
      } catch {
        notices.append("! \("\(error)".tame) Changes of this run are not recorded.")
      }
    }
    if let count = options.crashAfter { plugins.append(.crash(after: count)) }
    self.plugins = plugins + logging
    notice = notices.isEmpty ? nil : notices.joined(separator: "\n")
  }
}

/// Shows or removes the report of the last crash.
func handleCrash() -> Never {
  do {
    if let folder = journalFolder(forTour: false) {
      if options.printsCrash {
        StandardOutput.writeLine(try CrashReport.load(from: folder)?.text ?? "There is no report of a crash.")
      }
      // A damaged report cannot be loaded, but can be removed.
      if options.forgetsCrash { try CrashReport.remove(from: folder) }
    }
    exit(0)
  } catch {
    FileHandle.standardError.write(Data("movies: \("\(error)".tame)\n".utf8))
    exit(1)
  }
}

/// The folder of the journal, inside the folder of the marks.
private func journalFolder(forTour isTour: Bool) -> URL? {
  options.folder(forTour: isTour)?.appending(path: "journal", directoryHint: .isDirectory)
}
