import Flux
import TestSupport
import Testing

@Suite("Migrating.md: RepositoryList behaves differently")
@MainActor
struct MigratingFromRepositoryListTests {
  @Test("`data` is an `OrderedState`, in which an id occurs once.")
  func uniqueIDs() async throws {
    let list = ListViewModel(repository: Titles(answers: [["Emma", "Persuasion", "Emma"]]))
    try await list.reload()
    #expect(list.data.values.map(\.name).sorted() == ["Emma", "Persuasion"])
    #expect(list.data["Emma"]?.name == "Emma")
  }

  @Test("A failed load throws, sets `error`, and keeps the elements.")
  func failure() async throws {
    let list = ListViewModel(repository: Titles(answers: [["Emma"], nil]))
    try await list.reload()
    await #expect(throws: (any Error).self) { try await list.refresh() }
    #expect(list.state == .error)
    #expect(list.error != nil)
    #expect(list.data.values.map(\.name) == ["Emma"])
  }
}

private struct Title: Hashable, Identifiable {
  var id: String { name }
  let name: String
}

private struct NoAnswer: Error {}

/// A repository that returns its answers in order; `nil` is a failure.
private final class Titles: AnyListRepository {
  private let answers: Shared<[[String]?]>

  init(answers: [[String]?]) {
    self.answers = Shared(answers)
  }

  func fetch() async throws -> [Title] {
    guard let names = answers.change({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw NoAnswer() }
    return names.map(Title.init)
  }
}
