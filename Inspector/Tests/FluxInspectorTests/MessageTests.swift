import Flux
import FluxInspector
import Foundation
import Testing

@Suite("Valid and invalid messages", .timeLimit(.minutes(15)))
struct MessageTests {
  private let desk = Desk()

  @Test(
    "a message that has a number but cannot be understood is refused, and the page continues",
    arguments: [
      #"{"request":5}"#, #"{"request":5,"type":"fly","store":1}"#,
      #"{"request":5,"type":"state","store":"1"}"#,
      #"{"request":5,"type":"state","store":1,"path":[1]}"#, #"{"request":5,"type":"dispatch","store":1}"#,
      #"{"request":5,"type":"command","store":1,"command":7}"#,
    ])
  func unclear(message: String) async throws {
    let page = try await desk.open()
    try await page.send(Data(message.utf8))
    #expect(try await page.answer(5)["code"] == "notUnderstood")
    #expect(try await page.ask("state")["type"] == "state")
  }

  @Test(
    "bytes that are not a message end the connection, but no other connection",
    arguments: [
      "", "hello", "[]", "{}", "{\"request\":\"5\"}", "{\"request\":1e99}", "\u{0}",
      String(repeating: "[", count: 100_000),
    ])
  func nonsense(message: String) async throws {
    let other = try await desk.open()
    let page = try await desk.open()
    try await page.send(Data(message.utf8))
    #expect(try await page.closeCode() == 1_008)
    #expect(try await other.ask("state")["type"] == "state")
  }

  @Test("bytes that are not text end the connection")
  func noText() async throws {
    let page = try await desk.open()
    try await page.send(Data([0xFF, 0xFE, 0x00]))
    #expect(try await page.closeCode() == 1_008)
    let binary = try await desk.open()
    try await binary.send(opcode: 2, Data("{}".utf8))
    #expect(try await binary.closeCode() == 1_003)
  }

  @Test("numbers at the limits of their range are answered, too")
  func extremes() async throws {
    let page = try await desk.open()
    for number in [Int.min, -1, 0, Int.max] {
      for type in ["changes", "action"] {
        #expect(try await page.ask(type, ["entry": .integer(number)])["code"] == "noSuchEntry")
      }
      #expect(try await page.ask("watch", store: number == 1 ? 0 : number)["code"] == "storeGone")
      for command in ["jump", "skip"] where number != 0 { try await page.command(command, entry: number) }
    }
    #expect(try await page.ask("state", ["at": .integer(.min)])["code"] == "noSuchEntry")
  }

  @Test("a message may come in pieces, with a ping between them")
  func pieces() async throws {
    let page = try await desk.open()
    let message = Data(#"{"request":1,"type":"state","store":1}"#.utf8)
    try await page.send(isLast: false, message.prefix(5))
    try await page.send(opcode: 9, Data("ping".utf8))
    try await page.send(opcode: 0, isLast: false, message[5..<9])
    let pong = try #require(try await page.frame())
    #expect(pong.opcode == 10)
    #expect(pong.payload == Data("ping".utf8))
    try await page.send(opcode: 0, message[9...])
    #expect(try await page.answer(1)["type"] == "state")
  }

  @Test("a continuation without a beginning, or a beginning inside a message, ends the connection")
  func wrongPieces() async throws {
    let page = try await desk.open()
    try await page.send(opcode: 0, Data("{}".utf8))
    #expect(try await page.closeCode() == 1_002)
    let other = try await desk.open()
    try await other.send(isLast: false, Data("{".utf8))
    try await other.send(Data("}".utf8))
    #expect(try await other.closeCode() == 1_002)
  }

  @Test("a message over 16 MiB ends the connection, in one piece or in many", arguments: [1, 17])
  func tooLarge(pieces: Int) async throws {
    let page = try await desk.open()
    let size = (16 << 20) / pieces + 1
    for piece in 0..<pieces {
      try await page.send(
        opcode: piece == 0 ? 1 : 0, isLast: piece == pieces - 1, Data(repeating: 32, count: size))
    }
    #expect(try await page.closeCode() == 1_009)
  }

  @Test(
    "a message of more than 16,384 pieces ends the connection, however small they are",
    arguments: [(16_384, false), (16_385, true)])
  func tooMany(pieces: Int, isEnd: Bool) async throws {
    let page = try await desk.open()
    var bytes = PageClient.frame(isLast: false, Data(#"{"request":1,"type":"state","store":1}"#.utf8))
    for piece in 2...pieces { bytes += PageClient.frame(opcode: 0, isLast: piece == pieces, Data()) }
    try await page.send(bytes: bytes)
    #expect(try await page.frame()?.opcode == (isEnd ? 8 : 1))
  }

  @Test("names and values that look like markup or code arrive unchanged")
  func hostile() async throws {
    let title =
      "</script><script>alert(1)</script>\u{2028}\u{0}\"'\\\u{202E}\u{1F468}\u{200D}\u{1F469}&amp;{{x}}${y}\n\r\t"
    let name = "<img src=x onerror=alert(1)>\"],\"type\":\"welcome\""
    desk.store.dispatch(AddBook(id: 1, title: title))
    desk.store.dispatch(UnknownAction(name: name, payload: nil))
    let page = try await desk.open()
    let log = try await page.watch()
    #expect(log["entries"]?[1]?["name"] == .string(name))
    #expect(
      try await page.ask("state")["tree"]?.node("books", "1", "title")?["value"] == .string("\"\(title)\""))
    #expect(
      try await page.ask("action", ["entry": 1])["tree"]?.node("title")?["value"] == .string("\"\(title)\""))
    #expect(try await page.ask("changes", ["entry": 1])["type"] == "changes")
  }
}
