import FluxMiddleware
import FlyingFox
import Foundation
import Synchronization

/// An open page: the stores that it watches, and the messages that it has not yet received.
///
/// Each message is made when the connection can send it, so a slow page does not delay the
/// program. For a slow page, one message contains all entries that the history has added since
/// the previous message. Answers wait in a short queue. While the queue is full, nothing more is
/// read from the page. The session runs on a separate thread: see ``SessionExecutor``.
///
/// A waiting answer is stored in its encoded form. All pages together keep a limited number of
/// bytes: see ``PageMemory``. An answer beyond the limit becomes a refusal, and a message beyond
/// the limit ends the connection.
///
/// Requests are answered in the order in which they arrive. An export waits until the exports
/// that other pages requested earlier have been made: see ``ExportQueue``. While an export waits,
/// the session reads at most one further message, and processes the message later. If no further
/// message arrives, the session detects the end of the connection during the wait.
actor PageSession {
  /// The maximum number of answers that wait.
  private static let mostAnswers = 8

  private let executor = SessionExecutor()
  private let room: InspectorRoom
  private var assembly = MessageAssembly()
  private var answers = AnswerQueue()
  /// The export that is waiting or being made.
  private var export: Task<Void, Never>?
  /// The search for the origins of entries that were sent without them.
  private var originSearch: Task<Void, Never>?
  /// The bytes that count of those that the session keeps.
  private var keptBytes = 0
  private var pong: Data?
  private var closing: WSCloseCode?
  private var watches: [Int: StoreWatch] = [:]
  private var stores: [PageMessage.StoreLine]?
  /// The stores whose histories are due for a check.
  private var due: Set<Int> = []
  private var hasEnded = false
  /// A Boolean value that indicates whether the page has left.
  ///
  /// The value is set as soon as the page leaves, before the session ends.
  private let hasGone = Atomic(false)
  private var writer: CheckedContinuation<Void, Never>?
  private var reader: CheckedContinuation<Void, Never>?
  private var ticker: Task<Void, Never>?

  init(room: InspectorRoom) {
    self.room = room
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// A Boolean value that indicates whether the session has ended, or is about to end because the
  /// page has left.
  private var isOver: Bool { hasEnded || hasGone.load(ordering: .acquiring) }

  /// Sends the welcome message with the list of stores.
  func begin() {
    let lines = room.lines
    stores = lines
    add(.welcome(program: room.program, stores: lines))
    wakeWriter()
  }

  // MARK: - From the page

  /// Processes a frame; returns when there is room for another frame.
  ///
  /// - Returns: A Boolean value that indicates whether to continue to read from the page.
  func receive(_ frame: WSFrame) async -> Bool {
    // A frame that arrived before the session ended can be read afterward, and must not be
    // processed.
    guard !isOver else { return false }
    let begun = assembly.count
    let step = assembly.receive(frame)
    release(begun)
    guard keep(assembly.count) else { return close(.messageTooBig) }
    switch step {
    case .wait: break
    case .pong(let payload): pong = payload
    case .close(let code): closing = code
    case .message(let message):
      if let export {
        guard keep(message.count) else { return close(.messageTooBig) }
        await export.value
        release(message.count)
        guard !isOver, closing == nil else { return false }
      }
      read(message)
    }
    wakeWriter()
    while answers.count + (export == nil ? 0 : 1) >= Self.mostAnswers, !hasEnded, closing == nil {
      await withCheckedContinuation { reader = $0 }
    }
    return !hasEnded && closing == nil
  }

  /// Requests that the connection be closed with a code, because of a frame that the page has
  /// sent.
  private func close(_ code: WSCloseCode) -> Bool {
    assembly = MessageAssembly()
    closing = code
    wakeWriter()
    return false
  }

  private func read(_ message: Data) {
    switch PageRequest.reading(message) {
    case .request(let request):
      if request.question == .export, room.store(request.store)?.line.canExport == true {
        export = Task { await makeExport(request) }
      } else {
        add(answer(request))
      }
    case .unclear(let number): add(.refused(request: number, .notUnderstood))
    case .nonsense: closing = .policyViolation
    }
  }

  private func answer(_ request: PageRequest) -> PageMessage {
    do throws(Refusal) {
      guard let store = room.store(request.store) else { throw .gone }
      return try answer(request, of: store)
    } catch {
      return .refused(request: request.number, error)
    }
  }

  private func answer(
    _ request: PageRequest, of store: any InspectedStore
  ) throws(Refusal) -> PageMessage {
    let number = request.number
    switch request.question {
    case .watch:
      watches[request.store] = StoreWatch(store)
      room.watches(true, self)
      startTicking()
    case .unwatch:
      watches[request.store] = nil
      if watches.isEmpty { stopTicking() }
    case .state(let point, let path):
      let (tree, address) = try store.state(at: point, path: path)
      return .state(
        request: number, store: request.store, at: point.number, tree: tree, address: address)
    case .queries(let point, let position):
      let table = try store.queries(at: point, from: position)
      return .queries(request: number, store: request.store, at: point.number, table)
    case .changes(let entry):
      let (lines, isCut) = try store.changes(of: HistoryEntry.ID(rawValue: entry))
      return .changes(request: number, store: request.store, entry: entry, lines, isCut: isCut)
    case .find(let path, let entry, let limit):
      let found = try store.find(PathPattern(path), from: entry, limit: limit)
      return .found(request: number, store: request.store, found)
    case .action(let entry):
      let (tree, json) = try store.action(of: HistoryEntry.ID(rawValue: entry))
      return .action(request: number, store: request.store, entry: entry, tree: tree, json: json)
    case .command(let name, let entry): try store.perform(.init(named: name, entry: entry))
    case .dispatch(let name, let payload): try store.dispatch(name, payload: payload)
    // If the store can be exported, `read` handles the request before this method is called.
    case .export: throw .noTransfer
    case .import(let document): try store.import(document)
    }
    // The page must show the effect of its request immediately.
    due.insert(request.store)
    return .done(request: number)
  }

  // MARK: - Exports

  /// Waits until the page's export can be made, makes the export, and adds its answer to the
  /// waiting answers.
  private func makeExport(_ request: PageRequest) async {
    switch await room.exportTurn(of: self) {
    case .make:
      let bytes = isOver ? 0 : await addExport(request)
      room.finishExport(keeping: bytes)
    case .refused: add(.refused(request: request.number, .busy))
    case .left: break
    }
    export = nil
    wakeWriter()
    wakeReader()
  }

  /// Adds the answer to a request for an export.
  ///
  /// - Returns: The counted size of the answer, which the session releases when it has sent the
  ///   answer.
  private func addExport(_ request: PageRequest) async -> Int {
    do {
      let payload = try await room.exportMaker.answer(request, of: room.store(request.store))
      guard !hasEnded else { return 0 }
      answers.append(payload)
      keptBytes += AnswerQueue.counted(payload)
      return AnswerQueue.counted(payload)
    } catch {
      closing = .internalServerError
      return 0
    }
  }

  // MARK: - To the page

  /// Returns the next frame, as soon as there is one; returns `nil` after the session has
  /// ended.
  func next() async -> WSFrame? {
    // The previous frame has been written.
    release(answers.markSent())
    while !hasEnded {
      if let frame = frame() { return frame }
      await withCheckedContinuation { writer = $0 }
    }
    return nil
  }

  private func frame() -> WSFrame? {
    if let pong {
      self.pong = nil
      return WSFrame(fin: true, opcode: .pong, mask: nil, payload: pong)
    }
    if let piece = answers.next() {
      wakeReader()
      return WSFrame(
        fin: piece.isLast, opcode: piece.isFirst ? .text : .continuation, mask: nil, payload: piece.bytes)
    }
    if let payload = message().flatMap(payload) {
      return WSFrame(fin: true, opcode: .text, mask: nil, payload: payload)
    }
    if let closing {
      end()
      return .close(code: closing)
    }
    return nil
  }

  private func message() -> PageMessage? {
    let lines = room.lines
    if let stores, stores != lines {
      self.stores = lines
      for id in watches.keys where !lines.contains(where: { $0.id == id }) { watches[id] = nil }
      if watches.isEmpty { stopTicking() }
      return .stores(lines)
    }
    if let lines = logLines() {
      findOrigins()
      return .log(lines)
    }
    for id in watches.keys.sorted() {
      guard let found = watches[id]?.takeFoundOrigins(), !found.isEmpty else { continue }
      findOrigins()
      return .origins(store: id, found)
    }
    return nil
  }

  /// Returns the next lines of a log that the page does not have.
  private func logLines() -> LogLines? {
    for id in watches.keys.sorted() {
      if let lines = watches[id]?.nextLines() { return lines }
    }
    while let id = due.popFirst() {
      if let lines = watches[id]?.news() { return lines }
    }
    return nil
  }

  // MARK: - Origins

  /// Begins to find the origins of entries that were sent without them, unless this has begun.
  private func findOrigins() {
    guard originSearch == nil else { return }
    originSearch = Task { await searchOrigins() }
  }

  private func searchOrigins() async {
    while !isOver, let (id, entry, stack) = nextOrigin() {
      guard case .text(let text) = await room.origin(of: stack, for: self) else { break }
      watches[id]?.finishSearch(entry, text)
    }
    originSearch = nil
  }

  /// Returns the next entry whose origin is unknown, and its call stack.
  private func nextOrigin() -> (store: Int, entry: Int, stack: CallStack)? {
    // Origins that were found are sent meanwhile.
    defer { wakeWriter() }
    for id in watches.keys.sorted() {
      if let (entry, stack) = watches[id]?.beginSearch() { return (id, entry, stack) }
    }
    return nil
  }

  // MARK: - Messages

  /// Adds an answer to the waiting answers, or a refusal if the limit does not permit the
  /// answer.
  private func add(_ answer: PageMessage) {
    guard var payload = payload(answer) else { return }
    if !keep(AnswerQueue.counted(payload)) {
      guard let request = answer.request,
        let refusal = self.payload(.refused(request: request, .busy))
      else { return }
      payload = refusal
    }
    answers.append(payload)
  }

  private func payload(_ message: PageMessage) -> Data? {
    do {
      return try message.payload()
    } catch {
      // Strings can always be encoded, but not every number can: a program's own notes can
      // contain a time that is not a number.
      closing = .internalServerError
      return nil
    }
  }

  // MARK: - Memory

  private func keep(_ bytes: Int) -> Bool {
    guard bytes == 0 || room.takeMemory(bytes) else { return false }
    keptBytes += bytes
    return true
  }

  private func release(_ bytes: Int) {
    // The session has already released all bytes if it has ended.
    let bytes = min(bytes, keptBytes)
    if bytes > 0 { room.releaseMemory(bytes) }
    keptBytes -= bytes
  }

  // MARK: - Waking

  /// Sends the new list of stores after a store was added or removed.
  func storesChanged() {
    wakeWriter()
  }

  /// Marks all watched histories as due for a check.
  private func tick() {
    due.formUnion(watches.keys)
    wakeWriter()
  }

  private func wakeWriter() {
    writer?.resume()
    writer = nil
  }

  private func wakeReader() {
    reader?.resume()
    reader = nil
  }

  private func startTicking() {
    guard ticker == nil, !hasEnded else { return }
    ticker = Task { [room, weak self] in
      while await room.pause() { await self?.tick() }
    }
  }

  private func stopTicking() {
    ticker?.cancel()
    ticker = nil
    room.watches(false, self)
  }

  /// Records that the page has left, even while the session is busy.
  ///
  /// After this call, the session starts no further work.
  nonisolated func leave() {
    hasGone.store(true, ordering: .releasing)
    Task { await end() }
  }

  /// Ends the session together with its connection.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    watches = [:]
    answers.removeAll()
    assembly = MessageAssembly()
    release(keptBytes)
    stopTicking()
    room.leave(self)
    wakeWriter()
    wakeReader()
  }
}
