import FluxAsync
import FluxCore
import FluxQuery
import TestSupport
import Testing

/// A server with numbered pages, which tests can change.
private struct Shelf: Equatable {
  var pages = 3
  var edition = 0
}

/// A page, with the edition of the shelf from which it was fetched.
private struct ShelfPage: Equatable {
  let number: Int
  let edition: Int
  let isLast: Bool
}

private struct ShelfPages: InfiniteQuery {
  let maximumPages: Int?
  var firstPage: Int { 1 }

  func fetchPage(_ number: Int, in context: RequestContext<AppState>) async throws -> ShelfPage {
    let shelf = try context.services(Shared<Shelf>.self).value
    return ShelfPage(number: number, edition: shelf.edition, isLast: number + 1 >= shelf.pages)
  }

  func nextPage(after pages: QueryPages<ShelfPage, Int>) -> Int? {
    pages.last.flatMap { $0.isLast ? nil : $0.number + 1 }
  }

  func previousPage(before pages: QueryPages<ShelfPage, Int>) -> Int? {
    pages.first.flatMap { $0.number > 0 ? $0.number - 1 : nil }
  }
}

/// The pages that an infinite query must show, computed from the rules alone.
private struct WindowModel: Equatable {
  var pages: [ShelfPage] = []

  private func page(_ number: Int, of shelf: Shelf) -> ShelfPage {
    ShelfPage(number: number, edition: shelf.edition, isLast: number + 1 >= shelf.pages)
  }

  mutating func happen(_ event: WindowEvent, _ shelf: Shelf, atMost limit: Int?) {
    switch (event, pages.first, pages.last) {
    case (.next, nil, _), (.previous, nil, _), (.refetch, nil, _): pages = [page(1, of: shelf)]
    case (.next, _, let last?): if !last.isLast { pages.append(page(last.number + 1, of: shelf)) }
    case (.previous, let first?, _):
      if first.number > 0 { pages.insert(page(first.number - 1, of: shelf), at: 0) }
    case (.refetch, let first?, _):
      let all = pages.indices.map { page(first.number + $0, of: shelf) }
      pages = Array(all.prefix((all.firstIndex { $0.isLast } ?? all.count) + 1))
    case (.grow, _, _), (.shrink, _, _), (.next, _, nil): break
    }
    guard let limit, pages.count > limit else { return }
    if event == .next { pages.removeFirst() } else { pages.removeLast() }
  }
}

private enum WindowEvent: CaseIterable {
  case next, previous, refetch
  /// The server gets a page, or loses a page.
  case grow, shrink
}

@Suite("The pages of infinite queries, after every sequence of events", .unlessItHangs)
struct PageWindowTests {
  @Test("the pages are those that the rules determine", arguments: [nil, 1, 2, 3])
  func everySequence(limit: Int?) async throws {
    // Each request of an empty result fetches the first page, and the server changes later.
    var sequences: [[WindowEvent]] = [[.next]]
    for _ in 0..<4 {
      sequences = sequences.flatMap { sequence in WindowEvent.allCases.map { sequence + [$0] } }
    }
    for sequence in sequences {
      let found = try await happened(sequence, atMost: limit)
      #expect(found == nil, "\(sequence): \(found ?? "")")
      if found != nil { return }
    }
    printStatistics("\(sequences.count) sequences")
  }

  /// Returns the difference to the model, or `nil` if there is none.
  private func happened(_ sequence: [WindowEvent], atMost limit: Int?) async throws -> String? {
    let shelf = Shared(Shelf())
    let store = Store(
      reducer: appReducer, plugins: [QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(shelf), state: AppState())
    let query = ShelfPages(maximumPages: limit)
    var model = WindowModel()
    for event in sequence {
      switch event {
      case .next: _ = try await store.fetch(query, .nextPage)
      case .previous: _ = try await store.fetch(query, .previousPage)
      case .refetch: _ = try await store.fetch(query, .always)
      case .grow: shelf.value = Shelf(pages: shelf.value.pages + 1, edition: shelf.value.edition + 1)
      case .shrink: shelf.value = Shelf(pages: shelf.value.pages - 1, edition: shelf.value.edition + 1)
      }
      model.happen(event, shelf.value, atMost: limit)
      let state = store.state.queries[query]
      let shown = WindowModel(pages: state.data.map(Array.init) ?? [])
      guard shown == model else { return "\(event) shows \(shown), not \(model)" }
      guard state.data?.parameters ?? [] == model.pages.map(\.number) else { return "wrong parameters" }
      guard state.hasNextPage == (model.pages.last.map { !$0.isLast } ?? false) else { return "wrong end" }
      guard state.hasPreviousPage == (model.pages.first.map { $0.number > 0 } ?? false) else {
        return "wrong beginning"
      }
    }
    return nil
  }
}
