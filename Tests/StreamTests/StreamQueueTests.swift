import FluxAsync
import TestSupport
import Testing

@Suite("The queue of a stream")
struct StreamQueueTests {
  @Test("an empty queue returns nothing")
  func empty() {
    var queue = StreamQueue<Int>()
    #expect(queue.popFirst() == nil)
    #expect(queue.count == 0)
  }

  @Test("a queue returns its elements in order, however adding and taking alternate", arguments: 0..<20)
  func order(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var (queue, model) = (StreamQueue<Int>(), [Int]())
    for number in 0..<2_000 {
      // Phases in which the queue grows, and phases in which it is emptied.
      let adds = Int.random(in: 0..<10, using: &generator) < (number / 200 % 2 == 0 ? 7 : 3)
      if adds {
        queue.append(number)
        model.append(number)
      } else {
        #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(queue.count == model.count)
    }
    while let element = queue.popFirst() { #expect(element == model.removeFirst()) }
    #expect(model.isEmpty)
  }

  @Test("a queue releases taken elements")
  func releases() {
    let tracker = LifetimeTracker()
    var queue = StreamQueue<LifetimeTracker.Tracked>()
    for _ in 0..<5 { queue.append(tracker.make()) }
    for left in [4, 3, 2, 1, 0] {
      _ = queue.popFirst()
      #expect(tracker.alive == left)
    }
  }

  @Test("elements may be optionals")
  func optionals() {
    var queue = StreamQueue<Int?>()
    queue.append(nil)
    queue.append(1)
    #expect(queue.popFirst() == .some(nil))
    #expect(queue.popFirst() == .some(1))
    #expect(queue.popFirst() == .none)
  }
}
