import FluxCore
import FluxMiddleware
import FlyingFox
import Foundation

/// The stores that pages can inspect, and the open pages.
final class InspectorRoom: Sendable {
  /// The maximum number of pages that are open at the same time.
  static let mostPages = 16

  private struct Contents {
    var stores: [any InspectedStore] = []
    var nextID = 1
    var pages: [ObjectIdentifier: PageSession] = [:]
    var watchers: Set<ObjectIdentifier> = []
    var memory = PageMemory()
    var exports = ExportQueue<ObjectIdentifier>()
    /// The continuations of the pages whose exports are waiting.
    var turns: [ObjectIdentifier: CheckedContinuation<ExportTurn, Never>] = [:]
    var origins = OriginQueue<ObjectIdentifier>()
    /// The pages that wait for an origin.
    var searches: [ObjectIdentifier: OriginSearch] = [:]

    /// Removes the waiting pages that the decisions concern, and returns their continuations and
    /// results.
    mutating func endWaits(by decisions: [ExportQueue<ObjectIdentifier>.Decision]) -> [EndedWait] {
      decisions.map { decision in
        switch decision {
        case .make(let page): EndedWait(waiting: turns.removeValue(forKey: page), turn: .make)
        case .refuse(let page): EndedWait(waiting: turns.removeValue(forKey: page), turn: .refused)
        }
      }
    }
  }

  /// The result of waiting until a page's export can be made.
  enum ExportTurn: Sendable {
    /// The page must make its export, and then call `finishExport(keeping:)`.
    case make
    /// There is no room for the page's export.
    case refused
    /// The page has left.
    case left
  }

  /// What has come of a page's search for an origin.
  enum OriginResult: Sendable {
    /// The text of the origin; `nil` if it is unknown.
    case text(String?)
    /// The page has left.
    case left
  }

  /// A page's search for an origin.
  private struct OriginSearch: Sendable {
    let stack: CallStack
    let waiting: CheckedContinuation<OriginResult, Never>
  }

  /// A wait for a turn that is over, to be resumed outside the lock.
  private struct EndedWait: Sendable {
    let waiting: CheckedContinuation<ExportTurn, Never>?
    let turn: ExportTurn

    func resume() { waiting?.resume(returning: turn) }
  }

  let program: String
  let exportMaker = ExportMaker()
  private let originFinder: OriginFinder
  private let contents = Locked(Contents())
  private let origins: Origins
  /// Called after each change with a Boolean value that indicates whether any page watches a
  /// store.
  private let onWatching: @Sendable (Bool) -> Void
  /// Waits until the next check for changes is due; returns `false` if there is no next check.
  private let wait: @Sendable () async -> Bool

  init(
    program: String, clock: some Clock<Duration>, interval: Duration, origins: Origins,
    onWatching: @escaping @Sendable (Bool) -> Void
  ) {
    self.program = program
    self.origins = origins
    originFinder = OriginFinder(origins)
    self.onWatching = onWatching
    wait = {
      do {
        try await clock.sleep(for: interval)
        return true
      } catch {
        return false
      }
    }
  }

  func pause() async -> Bool { await wait() }

  // MARK: Stores

  var lines: [PageMessage.StoreLine] {
    contents.withLock { $0.stores.map(\.line) }
  }

  func store(_ id: Int) -> (any InspectedStore)? {
    contents.withLock { $0.stores.first { $0.line.id == id } }
  }

  /// Adds a store, which `make` creates with the store's number.
  func add(_ make: (_ id: Int) -> any InspectedStore) -> Int {
    let id = contents.withLock { contents in
      defer { contents.nextID += 1 }
      return contents.nextID
    }
    let store = make(id)
    contents.withLock { $0.stores.append(store) }
    tellPages()
    return id
  }

  /// Removes a store that has ended.
  func remove(_ id: Int) {
    let gone = contents.withLock { contents in
      contents.stores.firstIndex { $0.line.id == id }.map { contents.stores.remove(at: $0) }
    }
    withExtendedLifetime(gone) {}
    tellPages()
  }

  private func tellPages() {
    for page in contents.withLock({ Array($0.pages.values) }) {
      Task { await page.storesChanged() }
    }
  }

  // MARK: Pages

  /// Adds a page; returns `nil` if too many pages are open.
  func enter() -> PageSession? {
    let page = PageSession(room: self)
    return contents.withLock { contents in
      guard contents.pages.count < Self.mostPages else { return nil }
      contents.pages[ObjectIdentifier(page)] = page
      return page
    }
  }

  func leave(_ page: PageSession) {
    let id = ObjectIdentifier(page)
    let (turn, search) = contents.withLock { contents in
      contents.pages[id] = nil
      contents.exports.remove(id)
      contents.origins.remove(id)
      return (contents.turns.removeValue(forKey: id), contents.searches.removeValue(forKey: id))
    }
    turn?.resume(returning: .left)
    search?.waiting.resume(returning: .left)
  }

  /// Counts bytes that a page needs to keep, and returns whether the limit permits them.
  func takeMemory(_ bytes: Int) -> Bool {
    contents.withLock { $0.memory.take(bytes) }
  }

  /// Subtracts bytes that a page no longer keeps.
  func releaseMemory(_ bytes: Int) {
    contents.withLock { $0.memory.release(bytes) }
  }

  // MARK: Exports

  /// Waits until a page can make its export.
  ///
  /// - Precondition: No other export of the page is waiting or being made.
  func exportTurn(of page: PageSession) async -> ExportTurn {
    let id = ObjectIdentifier(page)
    return await withCheckedContinuation { continuation in
      let ended: [EndedWait] = contents.withLock { contents in
        guard contents.pages[id] != nil else { return [EndedWait(waiting: continuation, turn: .left)] }
        contents.turns[id] = continuation
        let decision = contents.exports.add(id, in: &contents.memory)
        return contents.endWaits(by: decision.map { [$0] } ?? [])
      }
      for wait in ended { wait.resume() }
    }
  }

  /// Ends a page's export, and resumes the page whose export is next.
  ///
  /// - Parameter bytes: The number of bytes of the answer, which are counted as memory of the
  ///   page from now on.
  func finishExport(keeping bytes: Int) {
    let ended = contents.withLock { contents in
      let decisions = contents.exports.finish(keeping: bytes, in: &contents.memory)
      return contents.endWaits(by: decisions)
    }
    for wait in ended { wait.resume() }
  }

  // MARK: Origins

  /// Finds the text of a call stack for a page, after those that other pages have requested.
  ///
  /// - Precondition: The page does not wait for another.
  func origin(of stack: CallStack, for page: PageSession) async -> OriginResult {
    let id = ObjectIdentifier(page)
    return await withCheckedContinuation { continuation in
      let (isGone, begins) = contents.withLock { contents in
        guard contents.pages[id] != nil else { return (true, false) }
        contents.searches[id] = OriginSearch(stack: stack, waiting: continuation)
        return (false, contents.origins.add(id))
      }
      if isGone { continuation.resume(returning: .left) }
      if begins { findOrigin(in: stack) }
    }
  }

  private func findOrigin(in stack: CallStack) {
    Task {
      let text = await originFinder.text(of: stack)
      let (finished, next) = contents.withLock { contents in
        let (finished, next) = contents.origins.finish()
        return (
          finished.flatMap { contents.searches.removeValue(forKey: $0) },
          next.flatMap { contents.searches[$0]?.stack }
        )
      }
      finished?.waiting.resume(returning: .text(text))
      if let next { findOrigin(in: next) }
    }
  }

  // MARK: Watching

  /// Records whether a page watches at least one store.
  func watches(_ doesWatch: Bool, _ page: PageSession) {
    if doesWatch { origins.prepare() }
    contents.withLock { contents in
      if doesWatch {
        contents.watchers.insert(ObjectIdentifier(page))
      } else {
        contents.watchers.remove(ObjectIdentifier(page))
      }
      // The closure is called inside the lock, so that the calls have the same order as the
      // changes.
      onWatching(!contents.watchers.isEmpty)
    }
  }
}
