package import Foundation

extension URL {
  /// The folder in which a program keeps what belongs to the user.
  ///
  /// - Parameter program: What the folder is called.
  package static func userFolder(of program: String) -> URL {
    let folder =
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? FileManager.default.homeDirectoryForCurrentUser
    return folder.appending(path: program, directoryHint: .isDirectory)
  }
}
