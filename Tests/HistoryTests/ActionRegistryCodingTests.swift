import FluxCore
import FluxMiddleware
import Foundation
import Testing

@Suite("Actions as JSON, by a registry")
struct ActionRegistryCodingTests {
  private struct Measure: Action, Codable { let depth: Double }

  private let registry = ActionRegistry(Write.self, Measure.self)

  @Test("the names that are written are told in order, without former ones")
  func names() {
    var registry = registry
    registry.register(Repeat.self, as: "Again", formerly: "Encore")
    #expect(registry.registeredNames == ["Again", "Measure", "Write"])
  }

  @Test("an action that was written is read again, under its name and former ones")
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

  @Test("a number beyond JSON is written as in an exported history, and read again")
  func infinity() throws {
    let data = try #require(try registry.encode(Measure(depth: -.infinity)))
    #expect((try registry.decode("Measure", from: data) as? Measure)?.depth == -.infinity)
  }

  @Test("what is wrong with an action's name or JSON is said")
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

  @Test("what is secret is not written, and something of its kind is in its place")
  func redacted() throws {
    let data = try #require(try registry.encode(Write("a"), redacting: .fields("line")))
    #expect(try registry.decode("Write", from: data) as? Write == Write(Redaction.mark))
    let measured = try #require(try registry.encode(Measure(depth: 3), redacting: .fields("depth")))
    #expect((try registry.decode("Measure", from: measured) as? Measure)?.depth == 0)
  }
}
