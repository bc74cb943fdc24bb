package import Foundation

/// The arguments of a program, which are taken one after another.
package struct Arguments: Sendable {
  private var rest: ArraySlice<String>

  /// Begins with the first of some arguments, which are without the program's name.
  package init(_ arguments: [String]) {
    rest = arguments[...]
  }

  /// Takes the name of the next option; `nil` at the end.
  package mutating func next() -> String? { rest.popFirst() }

  /// Takes what stands after an option.
  ///
  /// - Parameters:
  ///   - complaint: What is said when there is nothing, or nothing that is understood.
  ///   - understand: Understands it; `nil` if that cannot be done.
  package mutating func value<Value>(
    or complaint: String, _ understand: (String) -> Value?
  ) throws(Misunderstanding) -> Value {
    guard let word = rest.popFirst(), let value = understand(word) else {
      throw Misunderstanding(complaint)
    }
    return value
  }

  /// Takes the folder that stands after an option.
  package mutating func folder(after option: String) throws(Misunderstanding) -> URL {
    try value(or: "\(option) needs a folder.") { word in
      word.isEmpty ? nil : URL(fileURLWithPath: word, isDirectory: true)
    }
  }

  /// Takes the address of a server that stands after an option.
  package mutating func server(after option: String) throws(Misunderstanding) -> URL {
    try value(or: "\(option) needs an address, as in \(option) http://localhost:8000") { word in
      URL(string: word).flatMap { ["http", "https"].contains($0.scheme) && $0.host() != nil ? $0 : nil }
    }
  }

  /// Why an option is not taken: there is none of the name.
  package func noOption(_ name: String) -> Misunderstanding {
    Misunderstanding("There is no option \(name.quoted).")
  }
}
