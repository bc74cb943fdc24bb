import Testing

@testable import FluxLog

@Suite("The rules for saving a replica")
struct SavingRulesTests {
  private func position(_ offset: UInt64) -> LogPosition { LogPosition(offset) }

  @Test("the state is saved after 100 entries that take as many bytes as the saved state")
  func both() {
    var rules = SavingRules(saved: .start, count: 1_000)
    rules.received(999)
    #expect(!rules.isDue(at: position(500)))
    rules.received(1)
    #expect(!rules.isDue(at: position(99)))
    #expect(rules.isDue(at: position(100)))
  }

  @Test("while a save is in progress, no other save begins")
  func inProgress() {
    var rules = SavingRules(saved: .start, count: 0)
    let begins = [rules.begin(at: position(100)), rules.begin(at: position(500))]
    #expect(begins == [true, false])
    #expect(!rules.isDue(at: position(500)))
    rules.ended(count: 0)
    #expect(rules.isDue(at: position(500)))
    let beginsAgain = rules.begin(at: position(500))
    #expect(beginsAgain)
  }

  @Test("entries that are received during a save count for the next save")
  func duringSave() {
    var rules = SavingRules(saved: .start, count: 0)
    rules.received(300)
    _ = rules.begin(at: position(100))
    rules.received(60)
    rules.ended(count: 100)
    rules.received(39)
    #expect(!rules.isDue(at: position(300)))
    rules.received(1)
    #expect(rules.isDue(at: position(300)))
  }

  @Test("a state that is already saved is not saved again")
  func saved() {
    var rules = SavingRules(saved: position(7), count: 0)
    let begins = [rules.begin(at: position(7)), rules.begin(at: position(3))]
    #expect(begins == [false, false])
  }

  @Test("after a save has failed, the next save happens after as many entries")
  func failure() {
    var rules = SavingRules(saved: .start, count: 50)
    rules.received(50)
    _ = rules.begin(at: position(100))
    rules.ended(count: nil)
    rules.received(50)
    #expect(!rules.isDue(at: position(199)))
    #expect(rules.isDue(at: position(200)))
  }

  @Test("the saved bytes are proportional to the received bytes, for any size of the state")
  func proportional() {
    for size in [0, 100, 10_000, 1_000_000] {
      var rules = SavingRules(saved: .start, count: size)
      var (received, saved, saves) = (0, 0, 0)
      for entry in 1...100_000 {
        rules.received(40)
        received += 40
        guard rules.isDue(at: position(UInt64(entry))) else { continue }
        _ = rules.begin(at: position(UInt64(entry)))
        (saved, saves) = (saved + size, saves + 1)
        rules.ended(count: size)
      }
      #expect(saved <= received, "a state of \(size) bytes")
      // 100 entries take 4,000 bytes.
      #expect(saves == received / max(size, 4_000), "a state of \(size) bytes")
    }
  }
}
