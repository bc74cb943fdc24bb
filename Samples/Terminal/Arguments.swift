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
  package mutating func folder(after option: String) throws(Misunderstanding) -> URL {
    try value(or: "\(option) needs a folder.") { word in
      word.isEmpty ? nil : URL(fileURLWithPath: word, isDirectory: true)
    }
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
