public import Foundation

/// An error that is thrown when a log file cannot be opened.
public struct LogSinkError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A reason why a file cannot be opened.
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

    /// The URL is not a file URL.
    public static let notAFile = Code(kind: .notAFile)
    /// The path refers to something other than a regular file, such as a FIFO, a socket, or a
    /// device.
    public static let notARegularFile = Code(kind: .notARegularFile)
    /// The path refers to a folder.
    public static let isAFolder = Code(kind: .isAFolder)
    /// The folder of the file does not exist, or is not a folder.
    public static let folderIsMissing = Code(kind: .folderIsMissing)
    /// The system does not permit writing to the file.
    public static let notPermitted = Code(kind: .notPermitted)

    /// Creates the code for a system error number.
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
      case .notAFile: "the URL is not a file URL. Create the URL with URL(filePath:)."
      case .notARegularFile: "it is not a regular file. Choose the path of a regular file."
      case .isAFolder: "it is a folder. Append the name of a file."
      case .folderIsMissing: "its folder does not exist. Create the folder first."
      case .notPermitted: "writing is not permitted there. Choose another folder, or change its permissions."
      case .other(let number):
        """
        the system reported "\(String(cString: strerror(number)))". Make sure that the path can be written to.
        """
      }
    }
  }

  /// The reason why the file cannot be opened.
  public let code: Code
  /// The URL of the file.
  public let url: URL

  package init(_ code: Code, url: URL) {
    self.code = code
    self.url = url
  }

  /// The reason for the error, and a suggestion for resolving it.
  public var description: String {
    "The log file \(url.isFileURL ? url.path : url.absoluteString) cannot be opened: \(code.reason)"
  }
}
