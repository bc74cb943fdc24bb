import FluxCore
import FluxMiddleware
import FlyingFox
import Foundation

/// What stores and pages meet in: the stores that can be looked into, and the pages that are open.
final class InspectorRoom: Sendable {
  /// The most pages that are open at once.
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
  /// Told whether a page watches a store, whenever that has changed.
  private let onWatching: @Sendable (Bool) -> Void
  /// Waits for the next look; says no when there is none.
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

  /// Lets a store in, made with the number that it gets.
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

  /// A store has ended.
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

  /// A new page; `nil` when there are too many.
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

  /// Counts bytes that a page wants to keep, and returns whether there is room for them.
  func takeMemory(_ bytes: Int) -> Bool {
    contents.withLock { $0.memory.take(bytes) }
  }

  /// Counts bytes that a page no longer keeps.
  func releaseMemory(_ bytes: Int) {
    contents.withLock { $0.memory.release(bytes) }
  }

  /// A page watches some store, or none any more.
  func watches(_ doesWatch: Bool, _ page: PageSession) {
    if doesWatch { beforeWatching() }
    contents.withLock { contents in
      if doesWatch {
        contents.watchers.insert(ObjectIdentifier(page))
      } else {
        contents.watchers.remove(ObjectIdentifier(page))
      }
      // Inside the lock, so that the last who comes or goes has the last word.
      onWatching(!contents.watchers.isEmpty)
    }
  }
}
