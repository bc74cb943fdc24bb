import FlyingFox
import FlyingSocks

/// The reason why a request fails, with a message for the client.
struct Refusal: Error {
  let status: HTTPStatusCode
  let text: String
  var endsConnection = false
  /// The methods that are allowed instead.
  var allowed: String?

  static func bad(_ text: String) -> Refusal { Refusal(status: .badRequest, text: text) }
  static func missing(_ text: String) -> Refusal { Refusal(status: .notFound, text: text) }
  static func noPage(_ request: HTTPRequest) -> Refusal {
    .missing("The path \(request.path) does not exist.")
  }
  static let otherHost = Refusal(
    status: HTTPStatusCode(421, phrase: "Misdirected Request"),
    text: "The request is for another host. To accept this host, start the board with the option --name.")
  static let otherSite = Refusal(status: .forbidden, text: "The request comes from a page of another site.")
  static let full = Refusal(
    status: .conflict, text: "The board is full: it already contains \(BoardState.capacity) items.")
  static let badKey = bad(
    "The Idempotency-Key must be a client's name and the number of its change, such as \"f81d4fae/7\".")
  static let superseded = Refusal(
    status: .gone,
    text: "The board has decided about a later change of this client. The answer is no longer known.")
  static let reusedKey = Refusal(
    status: HTTPStatusCode(422, phrase: "Unprocessable Content"),
    text: "The client has used this Idempotency-Key for another change.")
  static let notJSON = Refusal(
    status: .unsupportedMediaType, text: "The body must be JSON with the Content-Type application/json.")
  static let tooLarge = Refusal(
    status: .payloadTooLarge, text: "The body must have at most \(RequestBody.limit) bytes.",
    endsConnection: true)
  static let unsaved = Refusal(
    status: .serviceUnavailable,
    text: "Changes cannot be saved at present. This change might have been saved.")

  static func method(allowed: String) -> Refusal {
    Refusal(status: .methodNotAllowed, text: "Allowed methods: \(allowed).", allowed: allowed)
  }

  var response: HTTPResponse {
    let json = Answers.json(Answers.Trouble(error: text))
    var response =
      endsConnection
      ? HTTPResponse(statusCode: status, body: HTTPBodySequence(from: LastBytes(json), count: json.count))
      : HTTPResponse(statusCode: status, body: json)
    response.headers = Answers.headers
    // A page distinguishes a refusal of the board from an error of a proxy.
    response.headers[HTTPHeader("Board-Refusal")] = "\(status.code)"
    if let allowed { response.headers[HTTPHeader("Allow")] = allowed }
    if endsConnection { response.headers[.connection] = "close" }
    return response
  }
}

/// The bytes of an answer after which the server closes the connection, because the unread bytes
/// on the connection are not the beginning of a request.
private struct LastBytes: AsyncBufferedSequence {
  typealias Element = UInt8

  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var bytes: [UInt8]?

    mutating func nextBuffer(suggested count: Int) throws -> [UInt8]? {
      guard let last = bytes.take() else { throw SocketError.disconnected }
      return last
    }

    mutating func next() throws -> UInt8? {
      fatalError("The bytes are read in one buffer.")
    }
  }
}
