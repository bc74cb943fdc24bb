import FluxCore
import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("Arbitrary messages between replicas and servers", .unlessItHangs)
struct ArbitraryMessageTests {
  private typealias Client = ReplicaRules<[UInt64], UInt64>

  private static let seeds: [UInt64] = [1, 2, 3, 4]
  /// Numbers at which a calculation can overflow, or that are likely to match.
  private static let numbers: [UInt64] = [
    0, 1, 2, 3, 1 << 32, 1 << 63 - 1, 1 << 63, .max - 1, .max,
  ]
  private static let clients = [ClientID("own"), ClientID("other")]

  private func append(_ state: inout [UInt64], _ change: UInt64) {
    state.append(change)
  }

  // MARK: Rules

  @Test(
    "entries that do not continue the state of a replica are refused, and change nothing", arguments: seeds)
  func entries(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (accepted, refused) = (0, 0)
    for _ in 0..<5_000 {
      let position = Self.number(&random)
      let number = Self.number(&random)
      var replica = Client(
        of: Self.clients[0], Client.Confirmed([], at: LogPosition(position), number: number),
        written: number < .max ? [Client.Pending(number + 1, 7)] : [], by: append)
      let before = replica
      let entries = (0..<Int.random(in: 1...3, using: &random)).map { index in
        let isNext = Bool.random(using: &random)
        return Client.Entry(
          at: LogPosition(isNext ? position &+ UInt64(index) : Self.number(&random)),
          from: Self.clients.randomElement(using: &random)!,
          isNext ? number &+ 1 : Self.number(&random), .accepted(UInt64(index)))
      }
      do throws(Client.Mismatch) {
        _ = try replica.receive(entries, by: append)
        let new = entries.drop { $0.position.offset < position }
        #expect(replica.confirmed.position.offset == position + UInt64(new.count))
        #expect(replica.confirmed.state.count == new.count)
        accepted += 1
      } catch {
        #expect(replica == before)
        refused += 1
      }
    }
    #expect(accepted > 100 && refused > 100)
  }

  @Test("a server receives only actions that follow the received actions of their client", arguments: seeds)
  func actions(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var server = ServerRules(Notes())
    var accepted = 0
    for _ in 0..<5_000 {
      let client = Self.clients.randomElement(using: &random)!
      let received = server.clients.received(from: client)
      let first = Bool.random(using: &random) ? received &+ 1 : Self.number(&random)
      let count = Int.random(in: 0...3, using: &random)
      let entries = server.decide(
        about: (0..<count).map { _ in .accepted(AddNote(text: "tea")) }, from: first, of: client,
        deciding: { _, _ in .accept }, by: reduceNotes)
      #expect(entries.map(\.number) == (0..<UInt64(entries.count)).map { received + 1 + $0 })
      #expect(server.clients.received(from: client) == received + UInt64(entries.count))
      accepted += entries.count
    }
    #expect(server.state.texts.count == accepted)
    #expect(accepted > 100)
  }

  @Test("numbers that a server cannot have received are refused, and no action is lost", arguments: seeds)
  func answers(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var refused = 0
    for _ in 0..<500 {
      var outbox = OutboxRules()
      outbox.connectionChanged(isOnline: true)
      for _ in 0..<30 {
        let number =
          Bool.random(using: &random)
          ? Self.number(&random) : UInt64.random(in: 0...outbox.newest + 1, using: &random)
        do {
          switch Int.random(in: 0..<6, using: &random) {
          case 0: _ = outbox.add()
          case 1: _ = outbox.beginWrite()
          case 2: outbox.writeEnded(isSuccess: Bool.random(using: &random))
          case 3:
            if let sending = outbox.beginSending() { try outbox.answered(sending.call, received: number) }
          case 4: try outbox.confirm(through: number)
          default: try outbox.answered(Int(truncatingIfNeeded: number), received: number)
          }
        } catch {
          refused += 1
        }
        #expect(outbox.confirmed <= outbox.received)
        #expect(outbox.received <= outbox.written)
        #expect(outbox.written <= outbox.newest)
      }
    }
    #expect(refused > 100)
  }

  private static func number(_ random: inout SeededGenerator) -> UInt64 {
    numbers.randomElement(using: &random)!
  }

  // MARK: JSON

  @Test("a message whose JSON was changed is decoded or refused, and the server continues", arguments: seeds)
  func changedJSON(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let server = try await NotesFixture().server()
    let note = EncodedAction(name: "AddNote", json: #"{"text":"tea"}"#)
    let pushed = try JSONEncoder().encode(PushedActions(from: ClientID("a"), firstNumber: 1, [note, note]))
    let entry = try JSONEncoder().encode(
      ReplicaEntry(at: .start, from: ClientID("own"), number: 1, .changed(note, ids: ["t": "1"])))
    let snapshot = try JSONEncoder().encode(ReplicaSnapshot(at: .start, number: 1, state: Data("{}".utf8)))
    var decoded = 0
    for _ in 0..<1_000 {
      if let message = try? JSONDecoder().decode(PushedActions.self, from: Self.changed(pushed, &random)) {
        decoded += 1
        _ = try await server.push(message)
      }
      if let entry = try? JSONDecoder().decode(ReplicaEntry.self, from: Self.changed(entry, &random)) {
        // The position of the next entry can be calculated.
        #expect(entry.position.advanced(by: 1) > entry.position)
      }
      if let snapshot = try? JSONDecoder().decode(ReplicaSnapshot.self, from: Self.changed(snapshot, &random))
      {
        #expect(snapshot.position.advanced(by: 1) > snapshot.position)
      }
    }
    #expect(decoded > 10)
    let last = PushedActions(from: ClientID("the last client"), firstNumber: 1, [note])
    #expect(try await server.push(last) == 1)
  }

  @Test("a position that no log can have is not decoded", arguments: [1 << 63, UInt64.max])
  func impossiblePosition(offset: UInt64) throws {
    let json = try JSONEncoder().encode(LogPosition(offset))
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(LogPosition.self, from: json) }
    let last = LogPosition(1 << 63 - 1)
    #expect(try JSONDecoder().decode(LogPosition.self, from: JSONEncoder().encode(last)) == last)
  }

  /// Returns JSON with a few changes, some of which keep it valid.
  private static func changed(_ json: Data, _ random: inout SeededGenerator) -> Data {
    var bytes = [UInt8](json)
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let index = bytes.indices.randomElement(using: &random)!
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[index] = UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &random)
      case 2: bytes.remove(at: index)
      default:
        // Numbers become long, and names become unknown.
        let digits = String(Self.number(&random)).utf8
        bytes.insert(contentsOf: digits, at: index)
      }
    }
    return Data(bytes)
  }
}
