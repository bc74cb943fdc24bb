import Dispatch
import FluxCollections
import FluxCore
import TestSupport
import Testing

@Suite("Observing elements from many threads")
struct ObservingThreadTests {
  @Test(
    "each observer receives increasing numbers and the last one, whichever threads dispatch and subscribe")
  func rising() {
    for _ in 0..<20 {
      let scene = BoardScene(0..<8)
      let heard = Shared<[Int: [Int]]>([:])
      let tokens = Shared<[SubscriptionToken]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for turn in 0..<100 {
          if turn.isMultiple(of: 10) {
            let observer = thread * 1000 + turn
            let token = scene.observers.subscribe(to: turn / 10 % 8) { entry in
              heard.change { $0[observer, default: []].append(Int(entry?.text ?? "") ?? -1) }
            }
            tokens.change { $0.append(token) }
          }
          scene.change { state in
            state.other += 1
            let text = String(state.other + 100)
            state.entries.update(turn % 8) { $0.text = text }
          }
        }
      }
      let last = scene.store.state.entries
      heard.change { heard in
        #expect(heard.count == 40)
        for (observer, numbers) in heard {
          #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(observer): \(numbers)")
          #expect(numbers.last.map(String.init) == last[id: observer % 1000 / 10 % 8]?.text, "\(observer)")
        }
      }
    }
  }

  @Test("lists that share storage can be changed and read on many threads, each in its own copy")
  func copies() {
    let shared = list(0..<2000)
    let sums = Recorder<Int>()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var mine = shared
      for turn in 0..<300 {
        mine.update((turn * 7 + thread) % 2000) { $0.text = "\(thread)" }
        mine.move(from: turn, to: 1999 - turn)
      }
      mine.remove(at: Array(0..<1000))
      sums.record(mine.count + (mine.inconsistency == nil ? 0 : 1))
    }
    #expect(sums.values == [1000, 1000, 1000, 1000])
    #expect(shared.values == list(0..<2000).values)
  }
}
