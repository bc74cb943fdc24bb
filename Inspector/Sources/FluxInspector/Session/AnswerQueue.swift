package import Foundation

/// The answers of a page that wait to be sent, and the answer that is being sent in pieces.
///
/// A pure state machine. FlyingFox copies each frame before it sends the frame, so that an answer
/// in one frame would take twice its size. It therefore gets an answer in pieces, and each piece
/// after it has sent the one before.
package struct AnswerQueue: Sendable {
  /// A part of an answer, which is one frame.
  package struct Piece: Equatable, Sendable {
    package let bytes: Data
    package let isFirst: Bool
    package let isLast: Bool
  }

  private enum State {
    case idle
    /// An answer is being sent, and there have been pieces of its bytes before the index.
    case sending(Data, upTo: Data.Index)
  }

  /// The most bytes of a piece.
  package static let pieceSize = 64 << 10
  /// The size up to which an answer does not count, so that a request that was fulfilled is not
  /// refused.
  private static let smallAnswer = 1_024

  private var state = State.idle
  private var waiting: [Data] = []

  package init() {}

  /// The number of answers that wait, without the answer that is being sent.
  package var count: Int { waiting.count }

  /// The bytes of an answer that count.
  package static func counted(_ answer: Data) -> Int { answer.count > smallAnswer ? answer.count : 0 }

  /// Adds an answer behind those that wait.
  package mutating func append(_ answer: Data) {
    waiting.append(answer)
  }

  /// Marks all pieces so far as sent.
  ///
  /// - Returns: The bytes that no longer count: those of an answer whose last piece has been sent.
  package mutating func markSent() -> Int {
    switch state {
    case .sending(let answer, let index) where index == answer.endIndex:
      state = .idle
      return Self.counted(answer)
    case .idle, .sending:
      return 0
    }
  }

  /// Returns the next piece, of the answer that is being sent or else of the one that has waited
  /// longest.
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
    // A copy, since a slice would keep the whole answer until FlyingFox releases the piece.
    return Piece(
      bytes: Data(bytes), isFirst: index == answer.startIndex, isLast: bytes.endIndex == answer.endIndex)
  }

  /// Drops all answers.
  package mutating func removeAll() {
    self = AnswerQueue()
  }
}
