import FlyingFox
import Foundation

/// A state machine that assembles a page's messages from their frames, within bounds.
///
/// The machine is pure: it returns the step to take for each frame. Each byte is copied once,
/// regardless of the number of frames.
struct MessageAssembly {
  /// The maximum number of bytes of a message.
  static let most = 16 << 20
  /// The maximum number of frames of a message, which permits the largest message in frames of
  /// one kilobyte.
  static let mostFrames = most >> 10

  enum Step: Equatable {
    case wait
    case message(Data)
    case pong(Data)
    /// The session must close the connection with this code, which answers the page's close frame
    /// or describes an error.
    case close(WSCloseCode)
  }

  /// The bytes of an incomplete message.
  private var begun = Data()
  /// The number of frames of the incomplete message; 0 if there is none.
  private var frames = 0

  /// The number of bytes of an incomplete message.
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
