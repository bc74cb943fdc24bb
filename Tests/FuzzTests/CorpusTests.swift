import Foundation
import Fuzzing
import Testing

/// A kept input: one that revealed a fault, or one at a limit.
///
/// The file is `Corpus/READER/VERDICT/NAME`, and its name describes the special property.
struct KnownInput: CustomTestStringConvertible {
  let reader: String
  let verdict: FuzzTarget.Verdict
  let file: URL

  var testDescription: String { "\(reader), \(file.lastPathComponent)" }

  static let all: [KnownInput] = {
    let corpus = Bundle.module.bundleURL.appendingPathComponent("Corpus")
    return contents(of: corpus).flatMap { reader in
      contents(of: reader).flatMap { verdict in
        let name = verdict.lastPathComponent
        return contents(of: verdict).map {
          KnownInput(
            reader: reader.lastPathComponent, verdict: name == "accepted" ? .accepted : .refused(name),
            file: $0)
        }
      }
    }
  }()

  private static func contents(of folder: URL) -> [URL] {
    do {
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .sorted { $0.path < $1.path }
    } catch {
      Issue.record("\(error)")
      return []
    }
  }
}

@Suite("Known inputs")
struct CorpusTests {
  // The context of an input varies: the element type as which it is decoded, and the other files.
  private static let seeds: Range<UInt64> = 0..<24

  @Test("each kept input produces the result that its directory names", arguments: KnownInput.all)
  func verdict(input: KnownInput) async throws {
    let target = try #require(FuzzTarget.all.first { $0.name == input.reader })
    let bytes = try Data(contentsOf: input.file)
    var verdicts: Set<FuzzTarget.Verdict> = []
    for seed in Self.seeds { verdicts.insert(try await target.check(bytes, seed: seed)) }
    #expect(verdicts.contains(input.verdict), "\(verdicts)")
  }

  @Test("each reader has kept inputs, some of which are valid", arguments: FuzzTarget.all)
  func readers(target: FuzzTarget) {
    let verdicts = Set(KnownInput.all.filter { $0.reader == target.name }.map(\.verdict))
    #expect(verdicts.count > 1 && verdicts.contains(.accepted))
  }
}
