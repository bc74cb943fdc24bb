/// A side of a sequence of pages.
public enum PageDirection: Hashable, Sendable {
  /// The page after the last page.
  case next
  /// The page before the first page.
  case previous
}

/// The pages of an ``InfiniteQuery``, in the order of the list that they are part of.
///
/// The value is a collection of pages. You can edit pages, for example in a mutation, but only a
/// request adds or removes pages.
///
/// ```swift
/// let films = state.data?.flatMap(\.films)
/// ```
public struct QueryPages<Page: Sendable, Parameter: Hashable & Sendable>: Sendable {
  private var pages: [Page]
  /// The parameters with which the pages were fetched.
  public private(set) var parameters: [Parameter]
  /// The parameter of the page after the last page, or `nil` if the last page is the end.
  public private(set) var next: Parameter?
  /// The parameter of the page before the first page, or `nil` if the first page is the beginning.
  public private(set) var previous: Parameter?

  /// Creates pages, for example for tests or to write a result that is already known.
  ///
  /// - Parameters:
  ///   - pages: The pages with their parameters, in order.
  ///   - next: The parameter of the page after the last page, or `nil` if there is none.
  ///   - previous: The parameter of the page before the first page, or `nil` if there is none.
  public init(
    _ pages: [(parameter: Parameter, page: Page)], next: Parameter? = nil, previous: Parameter? = nil
  ) {
    self.pages = pages.map(\.page)
    parameters = pages.map(\.parameter)
    self.next = next
    self.previous = previous
  }

  private enum CodingKeys: CodingKey {
    case pages, parameters, next, previous
  }

  /// Returns the parameter of the page at a side, or `nil` if there is no such page.
  func parameter(_ direction: PageDirection) -> Parameter? {
    switch direction {
    case .next: next
    case .previous: previous
    }
  }

  /// Adds a page at a side, and removes pages at the other side if there are too many.
  mutating func add(_ page: Page, at parameter: Parameter, _ direction: PageDirection, atMost limit: Int) {
    switch direction {
    case .next:
      pages.append(page)
      parameters.append(parameter)
    case .previous:
      pages.insert(page, at: 0)
      parameters.insert(parameter, at: 0)
    }
    let excess = pages.count - limit
    guard excess > 0 else { return }
    switch direction {
    case .next:
      pages.removeFirst(excess)
      parameters.removeFirst(excess)
    case .previous:
      pages.removeLast(excess)
      parameters.removeLast(excess)
    }
  }

  /// Returns the page at a side, without the other pages.
  func only(_ direction: PageDirection) -> QueryPages {
    var single = self
    switch direction {
    case .next: (single.pages, single.parameters) = (Array(pages.suffix(1)), Array(parameters.suffix(1)))
    case .previous: (single.pages, single.parameters) = (Array(pages.prefix(1)), Array(parameters.prefix(1)))
    }
    return single
  }

  /// Determines the parameters of the pages at both sides.
  mutating func determineEnds<Fetched: InfiniteQuery>(by query: Fetched)
  where Fetched.Page == Page, Fetched.PageParameter == Parameter {
    next = query.nextPage(after: self)
    previous = query.previousPage(before: self)
  }
}

extension QueryPages: RandomAccessCollection, MutableCollection {
  /// The position of the first page, which is always 0.
  public var startIndex: Int { 0 }
  /// The number of pages.
  public var endIndex: Int { pages.count }

  /// The page at a position.
  public subscript(position: Int) -> Page {
    get { pages[position] }
    set { pages[position] = newValue }
  }
}

extension QueryPages: Equatable where Page: Equatable {}

extension QueryPages: Encodable where Page: Encodable, Parameter: Encodable {}

extension QueryPages: Decodable where Page: Decodable, Parameter: Decodable {
  /// Creates pages from encoded pages.
  ///
  /// - Throws: A `DecodingError` if the number of pages differs from the number of parameters.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    pages = try values.decode([Page].self, forKey: .pages)
    parameters = try values.decode([Parameter].self, forKey: .parameters)
    next = try values.decodeIfPresent(Parameter.self, forKey: .next)
    previous = try values.decodeIfPresent(Parameter.self, forKey: .previous)
    guard pages.count == parameters.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .parameters, in: values,
        debugDescription: "There are \(pages.count) pages and \(parameters.count) parameters.")
    }
  }
}

extension QueryPages: CustomStringConvertible {
  /// The parameters and the pages.
  public var description: String {
    let pages = zip(parameters, pages).map { "\($0): \($1)" }.joined(separator: ", ")
    return "[\(pages.isEmpty ? ":" : pages)]"
  }
}
