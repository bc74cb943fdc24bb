package import Foundation

extension URL {
  /// Returns the folder for the user's data of a program.
  ///
  /// - Parameter program: The name of the folder.
  package static func userFolder(of program: String) -> URL {
    let folder =
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? FileManager.default.homeDirectoryForCurrentUser
    return folder.appending(path: program, directoryHint: .isDirectory)
  }
}
