package import Foundation

/// The answers of a page that wait to be sent, and the answer that is being sent in pieces.
///
/// A pure state machine. FlyingFox copies each frame before it sends the frame, so an answer in a
/// single frame would need twice its size in memory. FlyingFox therefore receives each answer in
/// pieces, and receives a piece only after it has sent the previous piece.
package struct AnswerQueue: Sendable {
  /// A piece of an answer, which is sent as one frame.
  package struct Piece: Equatable, Sendable {
    package let bytes: Data
    package let isFirst: Bool
    package let isLast: Bool
  }

  private enum State {
    case idle
    /// An answer is being sent, and the pieces up to the index have been returned.
    case sending(Data, upTo: Data.Index)
  }

  /// The maximum number of bytes of a piece.
  package static let pieceSize = 64 << 10
  /// The maximum size of an answer that is not counted, so that a short answer to a fulfilled
  /// request is never replaced by a refusal.
  private static let smallAnswer = 1_024

  private var state = State.idle
  private var waiting: [Data] = []

  package init() {}

  /// The number of waiting answers, which excludes the answer that is being sent.
  package var count: Int { waiting.count }

  /// Returns the counted size of an answer.
  package static func counted(_ answer: Data) -> Int { answer.count > smallAnswer ? answer.count : 0 }

  /// Adds an answer to the end of the queue.
  package mutating func append(_ answer: Data) {
    waiting.append(answer)
  }

  /// Records that FlyingFox has sent all pieces that it received.
  ///
  /// - Returns: The number of bytes to release: the counted size of an answer whose last piece
  ///   has been sent, or 0.
  package mutating func markSent() -> Int {
    switch state {
    case .sending(let answer, let index) where index == answer.endIndex:
      state = .idle
      return Self.counted(answer)
    case .idle, .sending:
      return 0
    }
  }

  /// Returns the next piece of the answer that is being sent, or the first piece of the oldest
  /// waiting answer if no answer is being sent.
  package mutating func next() -> Piece? {
    switch state {
    case .idle:
      guard !waiting.isEmpty else { return nil }
      let answer = waiting.removeFirst()
      return piece(of: answer, from: answer.startIndex)
    case .sending(let answer, let index):
      return index < answer.endIndex ? piece(of: answer, from: index) : nil
    }
  }

  private mutating func piece(of answer: Data, from index: Data.Index) -> Piece {
    let bytes = answer[index...].prefix(Self.pieceSize)
    state = .sending(answer, upTo: bytes.endIndex)
    // The bytes are copied, because a slice would keep the whole answer in memory until FlyingFox
    // releases the piece.
    return Piece(
      bytes: Data(bytes), isFirst: index == answer.startIndex, isLast: bytes.endIndex == answer.endIndex)
  }

  /// Drops all answers.
  package mutating func removeAll() {
    self = AnswerQueue()
  }
}
