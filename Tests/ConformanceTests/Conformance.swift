import Testing

// Connects a test with a case of another library's tests. `Documentation/Conformance.md` is made
// by `Tests/ConformanceTests/document`, which reads the suites' source and requires each case
// once.

/// Identifies the source of a suite's cases.
struct ConformanceSource: SuiteTrait {
  let comments: [Comment]
}

extension Trait where Self == ConformanceSource {
  /// The suite has a verdict for each case of a file of tests.
  ///
  /// - Parameters:
  ///   - repository: The library, under its GitHub name.
  ///   - file: The file in the library.
  ///   - commit: The commit of the library at which the cases were numbered, in the order of the
  ///     file.
  ///   - count: The number of cases.
  static func cases(of repository: String, _ file: String, at commit: String, count: Int) -> Self {
    ConformanceSource(comments: ["The \(count) cases of \(file) in \(repository) at \(commit)"])
  }
}

/// Identifies a test's case, and whether this package has the same rule.
///
/// A failing test shows it.
struct ConformanceVerdict: TestTrait {
  let comments: [Comment]
}

extension Trait where Self == ConformanceVerdict {
  /// The test proves the rule of a case.
  static func holds(_ number: Int) -> Self {
    ConformanceVerdict(comments: ["Case \(number)"])
  }

  /// The test proves this package's rule, which differs intentionally.
  static func differs(_ number: Int, because reason: String) -> Self {
    ConformanceVerdict(comments: ["Case \(number), where we differ: \(reason)"])
  }
}

/// A case that is impossible in a Swift program, so that there is nothing to test.
///
/// A suite lists its own.
struct MeaninglessCase: Sendable {
  let number: Int
  let rule: String
  let reason: String

  init(_ number: Int, _ rule: String, because reason: String) {
    self.number = number
    self.rule = rule
    self.reason = reason
  }
}
