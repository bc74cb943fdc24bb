/// Simulated delays and failures of a service, which show how lists react to them.
package actor Conditions {
  /// A kind of operation that can be made to fail.
  package enum Topic: String, CaseIterable, Sendable {
    case shelf, books, songs, changes
  }

  private var delay: Duration
  private var failures: [Topic: Int] = [:]

  /// Creates conditions.
  ///
  /// - Parameters:
  ///   - delay: The minimum duration of each answer.
  ///   - failing: The kinds of operations that fail the first time.
  package init(delay: Duration = .zero, failing: Set<Topic> = []) {
    self.delay = delay
    for topic in failing { failures[topic] = 1 }
  }

  func slow(by delay: Duration) { self.delay = delay }

  func fail(_ topic: Topic, times: Int) { failures[topic] = times }

  /// Returns the delay of the next answer, and whether it fails.
  ///
  /// Each call reduces the number of remaining failures by one.
  fileprivate func next(_ topic: Topic) -> (delay: Duration, fails: Bool) {
    let left = failures[topic] ?? 0
    failures[topic] = max(0, left - 1)
    return (delay, left > 0)
  }
}

/// A service that simulates the delays and failures of the given conditions.
struct TroubledService: BookService {
  let service: any BookService
  let conditions: Conditions
  let clock: any Clock<Duration>

  func shelf() async throws -> [Book] {
    try await undergo(.shelf)
    return try await service.shelf()
  }

  func books(page: Int) async throws -> BookPage {
    try await undergo(.books)
    return try await service.books(page: page)
  }

  func songs(after name: String?) async throws -> SongPage {
    try await undergo(.songs)
    return try await service.songs(after: name)
  }

  func save(_ book: Book) async throws {
    try await undergo(.changes)
    try await service.save(book)
  }

  func remove(_ book: Book) async throws {
    try await undergo(.changes)
    try await service.remove(book)
  }

  private func undergo(_ topic: Conditions.Topic) async throws {
    let (delay, fails) = await conditions.next(topic)
    if delay > .zero { try await clock.sleep(for: delay) }
    guard fails else { return }
    throw BookServiceError(
      topic == .changes
        ? "No change is accepted, as you requested." : "The \(topic) could not be loaded, as you requested.")
  }
}
