import FluxInspector
import Foundation
import Testing

@Suite("The queue of answers")
struct AnswerQueueTests {
  private static let size = AnswerQueue.pieceSize

  private func answer(_ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) })
  }

  @Test(
    "the pieces of an answer contain its bytes in order, and mark the first and the last piece",
    arguments: [(1, 1), (size - 1, 1), (size, 1), (size + 1, 2), (3 * size, 3)])
  func pieces(count: Int, expected: Int) throws {
    var queue = AnswerQueue()
    queue.append(answer(count))
    var pieces: [AnswerQueue.Piece] = []
    while let piece = queue.next() { pieces.append(piece) }
    #expect(pieces.count == expected)
    #expect(pieces.reduce(Data()) { $0 + $1.bytes } == answer(count))
    #expect(pieces.map(\.isFirst) == (0..<expected).map { $0 == 0 })
    #expect(pieces.map(\.isLast) == (0..<expected).map { $0 == expected - 1 })
  }

  @Test("an answer counts until its last piece has been sent")
  func counts() {
    var queue = AnswerQueue()
    queue.append(answer(Self.size + 1))
    queue.append(answer(2_000))
    #expect(queue.next()?.isLast == false)
    #expect(queue.count == 1)
    // Another answer is sent between two pieces.
    #expect(queue.markSent() == 0)
    #expect(queue.markSent() == 0)
    #expect(queue.next()?.isLast == true)
    #expect(queue.markSent() == Self.size + 1)
    #expect(queue.next()?.isFirst == true)
    #expect(queue.markSent() == 2_000)
    #expect(queue.markSent() == 0)
    #expect(queue.next() == nil)
  }

  @Test("an answer of at most 1,024 bytes does not count", arguments: [(1_024, 0), (1_025, 1_025)])
  func small(count: Int, counted: Int) {
    #expect(AnswerQueue.counted(answer(count)) == counted)
  }
}
