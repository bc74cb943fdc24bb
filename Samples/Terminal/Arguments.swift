package import Foundation

/// The arguments of a program, which are read one after another.
package struct Arguments: Sendable {
  private var rest: ArraySlice<String>

  /// Creates a reader of the given arguments.
  ///
  /// The arguments do not contain the program's name.
  package init(_ arguments: [String]) {
    rest = arguments[...]
  }

  /// Returns the name of the next option; returns `nil` at the end.
  package mutating func next() -> String? { rest.popFirst() }

  /// Returns the value after an option.
  ///
  /// - Parameters:
  ///   - complaint: The error message if the value is missing or invalid.
  ///   - understand: Parses the value; returns `nil` if the value is invalid.
  package mutating func value<Value>(
    or complaint: String, _ understand: (String) -> Value?
  ) throws(Misunderstanding) -> Value {
    guard let word = rest.popFirst(), let value = understand(word) else {
      throw Misunderstanding(complaint)
    }
    return value
  }

  /// Returns the folder after an option.
  ///
  /// The folder need not exist.
  ///
  /// - Throws: An error if there is no argument, or if the folder cannot exist, because a part of
  ///   its path is a file.
  package mutating func folder(after option: String) throws(Misunderstanding) -> URL {
    let folder = try value(or: "\(option) needs a folder.") { word in
      word.isEmpty ? nil : URL(fileURLWithPath: word, isDirectory: true)
    }
    if let file = Self.file(inPathOf: folder) {
      throw Misunderstanding("\(option) needs a folder. \(file.path.quoted) is a file.")
    }
    return folder
  }

  /// Returns the first part of a path that exists, if it is not a folder.
  private static func file(inPathOf folder: URL) -> URL? {
    var part = folder.standardizedFileURL
    var isFolder: ObjCBool = false
    while !FileManager.default.fileExists(atPath: part.path, isDirectory: &isFolder) {
      guard part.path != "/" else { return nil }
      part.deleteLastPathComponent()
    }
    return isFolder.boolValue ? nil : part
  }

  /// Returns the address of a server after an option.
  package mutating func server(after option: String) throws(Misunderstanding) -> URL {
    try value(or: "\(option) needs an address, as in \(option) http://localhost:8000") { word in
      URL(string: word).flatMap { ["http", "https"].contains($0.scheme) && $0.host() != nil ? $0 : nil }
    }
  }

  /// Returns the error for an unknown option.
  package func noOption(_ name: String) -> Misunderstanding {
    Misunderstanding("There is no option \(name.quoted).")
  }
}
