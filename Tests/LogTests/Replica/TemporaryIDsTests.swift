import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("Temporary ids")
struct TemporaryIDsTests {
  @Test("the newest id is found, as in a dictionary", arguments: 1...20 as ClosedRange<UInt64>)
  func model(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (ids, model) = (TemporaryIDs(), [String: String]())
    for step in 0..<200 {
      let new = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        ("\(Int.random(in: 0..<300, using: &random))", "\(step)")
      }
      let added = Dictionary(new) { $1 }
      ids.add(added)
      model.merge(added) { $1 }
      #expect(ids.isEmpty == model.isEmpty)
    }
    for id in 0..<300 { #expect(ids["\(id)"] == model["\(id)"]) }
    #expect(ids == TemporaryIDs(model))
    #expect(ids.hashValue == TemporaryIDs(model).hashValue)
    let json = try JSONEncoder().encode(ids)
    #expect(try JSONDecoder().decode([String: String].self, from: json) == model)
    #expect(try JSONDecoder().decode(TemporaryIDs.self, from: json) == ids)
  }

  @Test("for n ids, there are at most log n parts, so that adding an id copies few ids")
  func parts() {
    var ids = TemporaryIDs()
    var kept: [TemporaryIDs] = []
    for number in 1...5_000 {
      ids.add(["\(number)": "\(number)"])
      kept.append(ids)
      #expect(ids.partCount <= 13)
    }
    #expect(kept[99]["100"] == "100" && kept[99]["101"] == nil)
  }
}
