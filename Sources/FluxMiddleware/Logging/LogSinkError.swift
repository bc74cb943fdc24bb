public import Foundation

/// Why a file cannot be logged to.
public struct LogSinkError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What stands in the way.
  public struct Code: Sendable, Hashable {
    private enum Kind: Hashable {
      case notAFile
      case notARegularFile
      case isAFolder
      case folderIsMissing
      case notPermitted
      case other(Int32)
    }

    private let kind: Kind

    /// The address is not that of a file.
    public static let notAFile = Code(kind: .notAFile)
    /// The path names something other than a regular file, such as a FIFO, a socket, or a device.
    public static let notARegularFile = Code(kind: .notARegularFile)
    /// There is a folder under that name.
    public static let isAFolder = Code(kind: .isAFolder)
    /// The folder in which the file would stand is not there, or is no folder.
    public static let folderIsMissing = Code(kind: .folderIsMissing)
    /// The system does not permit writing there.
    public static let notPermitted = Code(kind: .notPermitted)

    /// What the system's error number says.
    package init(errorNumber: Int32) {
      switch errorNumber {
      case EISDIR: self = .isAFolder
      case ENOENT, ENOTDIR: self = .folderIsMissing
      case EACCES, EPERM, EROFS: self = .notPermitted
      default: kind = .other(errorNumber)
      }
    }

    private init(kind: Kind) {
      self.kind = kind
    }

    fileprivate var reason: String {
      switch kind {
      case .notAFile: "this is not the URL of a file. Make one by URL(filePath:)."
      case .notARegularFile: "it is not a regular file. Choose the name of a file."
      case .isAFolder: "a folder is there. Append the name of a file."
      case .folderIsMissing: "its folder is missing. Create the folder first."
      case .notPermitted: "writing there is not permitted. Choose another folder, or change its permissions."
      case .other(let number):
        "the system says: \(String(cString: strerror(number))). See that a file can be written there."
      }
    }
  }

  /// What stands in the way.
  public let code: Code
  /// Where the file should have been.
  public let url: URL

  package init(_ code: Code, url: URL) {
    self.code = code
    self.url = url
  }

  /// What happened, and what to do.
  public var description: String {
    "The log file \(url.isFileURL ? url.path : url.absoluteString) cannot be opened: \(code.reason)"
  }
}
