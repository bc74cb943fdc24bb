import FluxMiddleware
import Foundation

/// A request of a page.
struct PageRequest: Sendable, Equatable {
  enum Question: Sendable, Equatable {
    case watch
    case unwatch
    case state(at: Point, path: [String])
    case queries(at: Point, from: Int)
    case changes(entry: Int)
    case find(path: String, from: Int, limit: Int)
    case action(entry: Int)
    case command(String, entry: Int?)
    case dispatch(name: String, payload: String)
    case export
    case `import`(document: String)
  }

  /// The state to which a request refers.
  enum Point: Sendable, Equatable {
    case current
    case base
    case behind(entry: Int)
  }

  /// The page's number for the request, by which the page recognizes the answer.
  let number: Int
  let store: Int
  let question: Question
}

extension PageRequest: Decodable {
  private enum Key: String, CodingKey {
    case request, type, store, at, path, from, limit, entry, command, name, payload, document
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    number = try container.decode(Int.self, forKey: .request)
    store = try container.decode(Int.self, forKey: .store)
    switch try container.decode(String.self, forKey: .type) {
    case "watch": question = .watch
    case "unwatch": question = .unwatch
    case "state":
      question = .state(
        at: Point(try container.decodeIfPresent(Int.self, forKey: .at)),
        path: try container.decodeIfPresent([String].self, forKey: .path) ?? [])
    case "queries":
      question = .queries(
        at: Point(try container.decodeIfPresent(Int.self, forKey: .at)),
        from: try container.decodeIfPresent(Int.self, forKey: .from) ?? 0)
    case "changes": question = .changes(entry: try container.decode(Int.self, forKey: .entry))
    case "find":
      question = .find(
        path: try container.decode(String.self, forKey: .path),
        from: try container.decode(Int.self, forKey: .from),
        limit: try container.decode(Int.self, forKey: .limit))
    case "action": question = .action(entry: try container.decode(Int.self, forKey: .entry))
    case "command":
      question = .command(
        try container.decode(String.self, forKey: .command),
        entry: try container.decodeIfPresent(Int.self, forKey: .entry))
    case "dispatch":
      question = .dispatch(
        name: try container.decode(String.self, forKey: .name),
        payload: try container.decode(String.self, forKey: .payload))
    case "export": question = .export
    case "import": question = .import(document: try container.decode(String.self, forKey: .document))
    default:
      throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "Unknown.")
    }
  }
}

extension PageRequest {
  /// The result of reading a message.
  enum Reading: Sendable, Equatable {
    case request(PageRequest)
    /// The message is invalid, but its number is readable, so the session can answer it.
    case unclear(number: Int)
    case nonsense
  }

  private struct Numbered: Decodable {
    let request: Int
  }

  /// Reads a message of a page.
  static func reading(_ message: Data) -> Reading {
    let decoder = JSONDecoder()
    do {
      return .request(try decoder.decode(PageRequest.self, from: message))
    } catch {
      // The request is invalid, but its number might be readable.
      do {
        return .unclear(number: try decoder.decode(Numbered.self, from: message).request)
      } catch {
        return .nonsense
      }
    }
  }
}

extension PageRequest.Point {
  /// Creates the point that a number represents in the protocol.
  fileprivate init(_ number: Int?) {
    self =
      switch number {
      case nil: .current
      case 0?: .base
      case let entry?: .behind(entry: entry)
      }
  }

  /// The number that represents this point in the protocol.
  var number: Int? {
    switch self {
    case .current: nil
    case .base: 0
    case .behind(let entry): entry
    }
  }
}

extension HistoryAction.Command {
  /// Creates a command from its name in the protocol and the entry that it applies to.
  init(named name: String, entry: Int?) throws(Refusal) {
    let id = entry.map(HistoryEntry.ID.init)
    switch (name, id) {
    case ("undo", _): self = .undo
    case ("redo", _): self = .redo
    case ("jump", let id?): self = id.rawValue == 0 ? .jump(to: 0) : .jumpToEntry(id)
    case ("skip", let id?): self = .skip(id)
    case ("unskip", let id?): self = .unskip(id)
    case ("commit", _): self = .commit
    case ("rollback", _): self = .rollback
    case ("reset", _): self = .reset
    case ("pause", _): self = .pause
    case ("resume", _): self = .resume
    case ("lock", _): self = .lock
    case ("unlock", _): self = .unlock
    default: throw .notUnderstood
    }
  }
}
