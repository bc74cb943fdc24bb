import FlyingFox
import Foundation

/// Puts a page's messages together out of the frames that they come in, within bounds.
///
/// A pure state machine: it says what is to be done with each frame. Each byte is taken in once, however many
/// frames there are.
struct MessageAssembly {
  /// The most bytes of a message.
  static let most = 16 << 20
  /// The most frames of a message: those of the largest, if a kilobyte comes at a time.
  static let mostFrames = most >> 10

  enum Step: Equatable {
    case wait
    case message(Data)
    case pong(Data)
    /// The connection is over: the answer to the page's own end, or what is wrong.
    case close(WSCloseCode)
  }

  /// What has come of a message that goes on.
  private var begun = Data()
  /// How many frames it came in; none if no message goes on.
  private var frames = 0

  /// The number of bytes of a message that is not complete.
  var count: Int { begun.count }

  mutating func receive(_ frame: WSFrame) -> Step {
    switch frame.opcode {
    case .ping: frame.payload.count <= 125 ? .pong(frame.payload) : .close(.protocolError)
    case .pong: .wait
    case .close: .close(.normalClosure)
    case .text where frames == 0: add(frame)
    case .continuation where frames > 0: add(frame)
    case .binary: .close(.unsupportedData)
    default: .close(.protocolError)
    }
  }

  private mutating func add(_ frame: WSFrame) -> Step {
    guard frames < Self.mostFrames, begun.count + frame.payload.count <= Self.most else {
      self = MessageAssembly()
      return .close(.messageTooBig)
    }
    begun.append(frame.payload)
    frames += 1
    guard frame.fin else { return .wait }
    defer { self = MessageAssembly() }
    return .message(begun)
  }
}
