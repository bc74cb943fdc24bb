import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

@Suite("Secrets in random structures")
struct RandomSecretTests {
  private static let secret = "S3CR3T"

  private static let redactions = [
    Redaction.fields("token"),
    Redaction { $0 == "token" || $0.hasSuffix(".token") || $0.hasSuffix("[\"token\"]") },
  ]

  @Test("no output contains a value that a redaction covers", arguments: 0..<40 as Range<UInt64>)
  func outputs(seed: UInt64) throws {
    for redaction in Self.redactions {
      for (index, output) in try outputs(seed: seed, redacting: redaction).enumerated() {
        #expect(!output.contains(Self.secret), "seed \(seed), output \(index)")
      }
    }
  }

  @Test("without a redaction, most outputs contain the secret", arguments: 0..<4 as Range<UInt64>)
  func open(seed: UInt64) throws {
    // Long keys are cut in differences.
    let outputs = try outputs(seed: seed, redacting: .none)
    #expect(outputs.count { $0.contains(Self.secret) } > outputs.count / 2, "seed \(seed)")
  }

  @Test("no error about a value that a redaction covers quotes the value", arguments: 0..<40 as Range<UInt64>)
  func errors(seed: UInt64) {
    for redaction in Self.redactions {
      let errors = errors(seed: seed, redacting: redaction)
      #expect(errors.count == 3)
      for (index, error) in errors.enumerated() {
        #expect(!error.contains(Self.secret), "seed \(seed), error \(index)")
      }
    }
  }

  @Test("without a redaction, each error quotes the secret", arguments: 0..<4 as Range<UInt64>)
  func openErrors(seed: UInt64) {
    let errors = errors(seed: seed, redacting: .none)
    #expect(errors.count == 3)
    #expect(errors.allSatisfy { $0.contains(Self.secret) }, "seed \(seed)")
  }

  private func errors(seed: UInt64, redacting redaction: Redaction) -> [String] {
    var generator = SeededGenerator(seed: seed)
    let secret = "\(Self.secret)-\(seed)"
    let content = randomUnencodable(secret, using: &generator)
    let id = randomID(secret, using: &generator)
    return errors(of: content, id, redacting: redaction)
  }

  private func errors<Content: Piece, ID: Piece>(
    of content: Content, _ id: ID, redacting redaction: Redaction
  ) -> [String] {
    let outputs = SecretOutputs(redaction: redaction)
    outputs.fail(Vault(VaultElement(id: id, content: content)), Hit(id: id, content: content))
    return outputs.all
  }

  private func outputs(seed: UInt64, redacting redaction: Redaction) throws -> [String] {
    var generator = SeededGenerator(seed: seed)
    let secret = "\(Self.secret)-\(seed)"
    let content = randomContent(secret, using: &generator)
    let id = randomID(secret, using: &generator)
    return try outputs(of: content, id, redacting: redaction)
  }

  private func outputs<Content: Piece, ID: Piece>(
    of content: Content, _ id: ID, redacting redaction: Redaction
  ) throws -> [String] {
    let old = Vault(VaultElement(id: id, content: content))
    let outputs = SecretOutputs(redaction: redaction)
    let hit = Hit(id: id, content: content)
    outputs.describe(old)
    outputs.describe(hit)
    for change in [Vault<Content, ID>.hit, Vault.clear, Vault.move] {
      var new = old
      change(&new)
      outputs.compare(old, new)
      outputs.compare(new, old)
    }
    try outputs.run(old, hit) { state, action in if action is Hit<Content, ID> { state.hit() } }
    return outputs.all
  }
}
