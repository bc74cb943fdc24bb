import FluxAsync
import FluxCore
import FluxQuery
import TestSupport

/// Numbered pages of words.
///
/// The answer of the service to `page 3` contains the words of page 3. A page with fewer than two
/// words is the last.
struct Catalog: InfiniteQuery {
  let firstPage: Int
  let maximumPages: Int?
  let refetchesAllPages: Bool

  init(from firstPage: Int = 1, atMost maximumPages: Int? = nil, refetchingAllPages: Bool = true) {
    self.firstPage = firstPage
    self.maximumPages = maximumPages
    refetchesAllPages = refetchingAllPages
  }

  func fetchPage(_ number: Int, in context: RequestContext<AppState>) async throws -> [String] {
    try await context.services(Service.self).call("page \(number)").split(separator: " ").map(String.init)
  }

  func nextPage(after pages: QueryPages<[String], Int>) -> Int? {
    guard let last = pages.parameters.last, pages.last?.count == 2 else { return nil }
    return last + 1
  }

  func previousPage(before pages: QueryPages<[String], Int>) -> Int? {
    pages.parameters.first.flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  func tags(for result: Result<QueryPages<[String], Int>, QueryFailure>) -> Set<QueryTag> {
    [.list("Word")]
  }
}

extension World {
  func catalog(_ query: Catalog = Catalog()) -> QueryState<QueryPages<[String], Int>> { cache[query] }

  /// The words that the cache contains, with a bar between pages.
  func words(_ query: Catalog = Catalog()) -> String? {
    catalog(query).data.map { $0.map { $0.joined(separator: " ") }.joined(separator: " | ") }
  }

  /// Fetches pages, and answers each with its words.
  func load(_ condition: QueryCondition, of query: Catalog = Catalog(), _ answers: (String, String)...) async
  {
    store.prefetch(query, condition)
    for (call, answer) in answers { service.answer(call, with: .success(answer)) }
    await settled()
  }
}
