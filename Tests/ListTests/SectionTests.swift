import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import Observation
import TestSupport
import Testing

@Suite("Sections of a list", .unlessItHangs)
struct SectionTests {
  private let server = BookServer()

  private func makeModel(_ initialData: [Book] = []) -> ListModel<Book> {
    ListModel(from: PagedBooks(server), initialData: initialData, id: "Books")
  }

  /// The sections in a short form: "1: 1 2 3".
  private func texts(_ sections: [ItemSection<Book>]) -> [String] {
    sections.map { "\($0.id): " + $0.items.map { "\($0.id)" }.joined(separator: " ") }
  }

  private let byParity = ListSectioning<Book>.by { $0.id.isMultiple(of: 2) ? "even" : "odd" }

  @Test("each key has a section, in the order of their first items")
  func byKey() {
    let sections = ListSections(of: makeModel([2, 1, 3, 4].map { Book($0) }), by: byParity)
    #expect(texts(sections.sections) == ["even: 2 4", "odd: 1 3"])
  }

  @Test("sections of a given size are numbered, and the last one may have fewer items")
  func chunks() {
    let sections = ListSections(of: makeModel((1...5).map { Book($0) }), by: .chunks(of: 2))
    #expect(texts(sections.sections) == ["1: 1 2", "2: 3 4", "3: 5"])
  }

  @Test("a whole list is one section, even when it is empty")
  func whole() async throws {
    let model = makeModel()
    let sections = ListSections(of: model, by: .whole("all"), prefix: "of ")
    #expect(texts(sections.sections) == ["of all: "])
    server.answer(1, 1...2)
    try await model.reload()
    #expect(texts(sections.sections) == ["of all: 1 2"])
  }

  @Test("only appended items are visited, and other sections are unchanged")
  func incremental() {
    let looked = Recorder<Int>()
    let model = makeModel((0..<1000).map { Book($0) })
    let sections = ListSections(
      of: model,
      by: .by { book in
        looked.record(book.id)
        return "\(book.id / 100)"
      })
    let before = sections.sections
    #expect(looked.count == 1000)
    looked.takeAll()
    var list = model.list
    list.began(.next, id: RequestID(rawValue: 1))
    let page = LoadedPage(at: PagePosition(number: 1, offset: 1000), count: 2)
    list.received(
      ListAnswer([Book(999, "known"), Book(1000)], page: page, at: .zero), for: RequestID(rawValue: 1))
    let after = sections.sections(of: list)
    #expect(looked.values == [1000])
    #expect(after.count == 11)
    for (old, new) in zip(before, after) { #expect(old.items.stamp == new.items.stamp, "\(old.id)") }
  }

  @Test("after any changes of a list, its sections match the list, by key and by number")
  func likeAnew() {
    var random = SeededGenerator(seed: 7)
    for _ in 1...40 {
      let model = makeModel()
      let rules: [ListSectioning<Book>] = [.by { "\($0.title.count) \($0.id % 3)" }, .chunks(of: 3)]
      let all = rules.map { ListSections(of: model, by: $0) }
      var list = ListState<Book>()
      for _ in 1...30 {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let id = Int.random(in: 0..<12, using: &random)
          switch Int.random(in: 0..<6, using: &random) {
          case 0: list.items.append(Book(id))
          case 1: list.items.insert(Book(id), at: Int.random(in: 0...12, using: &random))
          case 2: list.items.remove(id: id)
          case 3: list.items.update(id) { $0.title += "!" }
          case 4: list.items.move(from: id, to: Int.random(in: 0...12, using: &random))
          default: list.items.add(Book(id))
          }
        }
        for (sections, rule) in zip(all, rules) {
          let anew = ListSections(of: model, by: rule)
          // Encoded and decoded as an array, so that no journal is available.
          var copy = ListState(Array(list.items))
          copy.isLoaded = list.isLoaded
          #expect(texts(sections.sections(of: list)) == texts(anew.sections(of: copy)))
        }
      }
    }
  }

  // MARK: State

  @Test("a list that is not loaded has one section without items, with its status and error")
  func emptyState() async {
    let model = makeModel()
    let sections = ListSections(of: model, by: byParity)
    #expect(sections.sections == [ItemSection(id: "Books", loadingState: .initialized)])
    server.fail(1)
    try? await model.reload()
    #expect(sections.sections == [ItemSection(id: "Books", loadingState: .error, error: "trouble")])
  }

  @Test("a loaded, empty list has no sections")
  func empty() async throws {
    let model = makeModel()
    let sections = ListSections(of: model, by: byParity)
    server.answer(1, [])
    try await model.reload()
    #expect(sections.sections.isEmpty)
  }

  @Test("while more items are loaded, only the last section is loading")
  func loadingMore() async {
    let model = makeModel((1...3).map { Book($0) })
    let sections = ListSections(of: model, by: .chunks(of: 2))
    let more = Task { try await model.fetchNext() }
    await server.calls.count(atLeast: 1)
    #expect(sections.sections.map(\.loadingState) == [.loaded, .loading])
    server.fail(1)
    _ = await more.result
    // The first page of a list with initial data: loading more has failed.
    #expect(sections.sections.map(\.loadingState) == [.loaded, .error])
    #expect(sections.sections.map(\.error) == [nil, "trouble"])
  }

  @Test("a failed refresh is an error of all sections")
  func refreshFails() async {
    let model = makeModel((1...3).map { Book($0) })
    let sections = ListSections(of: model, by: .chunks(of: 2))
    server.fail(1)
    try? await model.refresh()
    #expect(sections.sections.map(\.loadingState) == [.error, .error])
    #expect(sections.sections.map(\.error) == ["trouble", "trouble"])
  }

  // MARK: Notifications of changes

  @Test("sections are an asynchronous sequence, which ends with the list")
  func states() async throws {
    var model: ListModel<Book>? = makeModel()
    var sections = model.map { ListSections(of: $0, by: byParity) }
    var states = sections?.states.buffering(.unbounded).makeAsyncIterator()
    server.answer(1, 1...2)
    try await model?.reload()
    model = nil
    sections = nil
    var heard: [[String]] = []
    while let next = await states?.next() { heard.append(texts(next)) }
    #expect(heard == [["Books: "], ["Books: "], ["odd: 1", "even: 2"]])
  }

  @Test("an observer of sections is notified when the list changes")
  func observing() async throws {
    let model = makeModel()
    let sections = ListSections(of: model, by: byParity)
    let changed = Recorder<Bool>()
    withObservationTracking {
      _ = sections.sections
    } onChange: {
      changed.record(true)
    }
    model.override(by: [Book(1)])
    #expect(changed.values == [true])
  }
}
