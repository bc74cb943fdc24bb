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
  }

  let program: String
  private let contents = Locked(Contents())
  /// Called before a page begins to watch.
  private let beforeWatching: @Sendable () -> Void
  /// Called after each change with a Boolean value that indicates whether any page watches a
  /// store.
  private let onWatching: @Sendable (Bool) -> Void
  /// Waits for the next check for news; returns `false` if there is no next check.
  private let wait: @Sendable () async -> Bool

  init(
    program: String, clock: some Clock<Duration>, interval: Duration,
    beforeWatching: @escaping @Sendable () -> Void, onWatching: @escaping @Sendable (Bool) -> Void
  ) {
    self.program = program
    self.beforeWatching = beforeWatching
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
    contents.withLock { $0.pages[ObjectIdentifier(page)] = nil }
  }

  /// Counts bytes that a page needs to keep, and returns whether the limit permits them.
  func takeMemory(_ bytes: Int) -> Bool {
    contents.withLock { $0.memory.take(bytes) }
  }

  /// Subtracts bytes that a page no longer keeps.
  func releaseMemory(_ bytes: Int) {
    contents.withLock { $0.memory.release(bytes) }
  }

  /// Records whether a page watches any store.
  func watches(_ doesWatch: Bool, _ page: PageSession) {
    if doesWatch { beforeWatching() }
    contents.withLock { contents in
      if doesWatch {
        contents.watchers.insert(ObjectIdentifier(page))
      } else {
        contents.watchers.remove(ObjectIdentifier(page))
      }
      // Inside the lock, so that the calls come in the order of the changes.
      onWatching(!contents.watchers.isEmpty)
    }
  }
}
