import Flux
package import Foundation

/// Loads pages from files: those that come with the program, or those of a folder.
package struct FileMovieService: MovieService {
  private let folder: URL

  /// Creates a service.
  ///
  /// - Parameter folder: Holds `page-1.json` and so on; those of the program, unless said otherwise.
  package init(folder: URL? = nil) {
    self.folder = folder ?? Bundle.module.bundleURL.appendingPathComponent("Pages")
  }

  package func page(_ number: Int) async throws(MovieServiceError) -> FilmPage {
    let name = "page-\(number).json"
    let file = folder.appendingPathComponent(name)
    // The storage does not wait for a FIFO.
    guard let json = try? FileStorage(directory: folder).read(name) else {
      throw MovieServiceError(.missing, "\(file.path) cannot be read.")
    }
    return try FilmPage(json: json, number: number, source: file.path)
  }
}
