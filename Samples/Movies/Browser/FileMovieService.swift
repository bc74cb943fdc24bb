import Flux
package import Foundation

/// A service that loads pages from files of the program's bundle or of a folder.
package struct FileMovieService: MovieService {
  private let folder: URL
  /// A Boolean value that indicates whether the pages come with the program.
  private let areBundled: Bool

  /// Creates a service.
  ///
  /// - Parameter folder: A folder with the files `page-1.json` and so on. By default, the
  ///   service uses the files of the program.
  package init(folder: URL? = nil) {
    areBundled = folder == nil
    self.folder = folder ?? Bundle.module.bundleURL.appendingPathComponent("Pages")
  }

  package func page(_ number: Int) async throws(MovieServiceError) -> FilmPage {
    let name = "page-\(number).json"
    let file = folder.appendingPathComponent(name)
    // The storage does not wait for a FIFO.
    guard let json = try? FileStorage(directory: folder).read(name) else {
      // The place of the program's own files does not help its user.
      let problem = areBundled ? "There is no page \(number)." : "\(file.path) cannot be read."
      throw MovieServiceError(.missing, problem)
    }
    return try FilmPage(json: json, number: number, source: file.path)
  }
}
