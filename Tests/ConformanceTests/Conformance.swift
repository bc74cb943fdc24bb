import Testing

// What ties a test to a case of another library's tests. `Documentation/Conformance.md` is made of these by
// `Tests/ConformanceTests/document`, which reads them in the sources of the suites, and wants each case once.

/// Says where the cases of a suite stand.
struct ConformanceSource: SuiteTrait {
  let comments: [Comment]
}

extension Trait where Self == ConformanceSource {
  /// The suite has a verdict for each case of a file of tests.
  ///
  /// - Parameters:
  ///   - repository: The library, as GitHub names it.
  ///   - file: The file in the library.
  ///   - commit: The commit of the library at which the cases were numbered, in the order in which they stand.
  ///   - count: How many cases there are.
  static func cases(of repository: String, _ file: String, at commit: String, count: Int) -> Self {
    ConformanceSource(comments: ["The \(count) cases of \(file) in \(repository) at \(commit)"])
  }
}

/// Says which case a test is about, and whether this package does the same.
///
/// A test that fails shows it.
struct ConformanceVerdict: TestTrait {
  let comments: [Comment]
}

extension Trait where Self == ConformanceVerdict {
  /// The test proves the rule of a case.
  static func holds(_ number: Int) -> Self {
    ConformanceVerdict(comments: ["Case \(number)"])
  }

  /// The test proves our rule, which is another one on purpose.
  static func differs(_ number: Int, because reason: String) -> Self {
    ConformanceVerdict(comments: ["Case \(number), where we differ: \(reason)"])
  }
}

/// A case that no Swift program can be in, so that there is nothing to test: a suite lists its own.
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
