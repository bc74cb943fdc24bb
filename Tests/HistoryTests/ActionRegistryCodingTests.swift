import FluxCore
import FluxMiddleware
import Foundation
import Testing

@Suite("Conversion of actions to JSON by a registry")
struct ActionRegistryCodingTests {
  private struct Measure: Action, Codable { let depth: Double }

  private let registry = ActionRegistry(Write.self, Measure.self)

  @Test("the written names are listed in order, without former names")
  func names() {
    var registry = registry
    registry.register(Repeat.self, as: "Again", formerly: "Encore")
    #expect(registry.registeredNames == ["Again", "Measure", "Write"])
  }

  @Test("a written action is read again, under its name and former names")
  func roundTrip() throws {
    var registry = registry
    registry.register(Repeat.self, as: "Again", formerly: "Encore")
    let data = try #require(try registry.encode(Write("a")))
    #expect(try registry.decode("Write", from: data) as? Write == Write("a"))
    let repeated = try #require(try registry.encode(Repeat()))
    #expect(try registry.decode("Encore", from: repeated) is Repeat)
  }

  @Test("an action that is not registered is not written")
  func notRegistered() throws {
    #expect(try registry.encode(Idle()) == nil)
    #expect(try registry.encode(Repeat()) == nil)
  }

  @Test("a number that JSON cannot express is written as in an exported history, and read again")
  func infinity() throws {
    let data = try #require(try registry.encode(Measure(depth: -.infinity)))
    #expect((try registry.decode("Measure", from: data) as? Measure)?.depth == -.infinity)
  }

  @Test("an invalid name or JSON of an action is reported")
  func wrong() {
    #expect(throws: HistoryError(.unknownAction, "No action is registered under the name \"Nothing\".")) {
      try registry.decode("Nothing", from: Data("{}".utf8))
    }
    #expect(throws: HistoryError(.undecodableAction, "Cannot decode Write: `line` is missing.")) {
      try registry.decode("Write", from: Data("{}".utf8))
    }
    #expect { try registry.decode("Write", from: Data("}".utf8)) } throws: { error in
      (error as? HistoryError)?.code == .undecodableAction
    }
  }

  @Test("a secret is not written, and a value of its type replaces it")
  func redacted() throws {
    let data = try #require(try registry.encode(Write("a"), redacting: .fields("line")))
    #expect(try registry.decode("Write", from: data) as? Write == Write(Redaction.mark))
    let measured = try #require(try registry.encode(Measure(depth: 3), redacting: .fields("depth")))
    #expect((try registry.decode("Measure", from: measured) as? Measure)?.depth == 0)
  }
}
