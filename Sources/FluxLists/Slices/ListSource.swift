public import FluxAsync
public import FluxCore

/// The circumstances in which a load fetches a page.
@usableFromInline
struct PageFetch: Sendable {
  /// The identity of the request.
  @usableFromInline let id: RequestID
  @usableFromInline let state: any FluxState
  @usableFromInline let services: Services
  /// A closure that returns the current time.
  @usableFromInline let time: @Sendable () -> Duration
}

/// An object that the actions of a list contain: the id, options, repository, and location of the
/// list.
///
/// A ``ListSlice`` creates the source. Because the source is an object, an action that contains it
/// is small and cheap to copy.
@usableFromInline
final class ListSource<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// A closure that starts a load.
  @usableFromInline typealias Start =
    @Sendable (_ load: ListLoad<Item>, _ context: ActionContext) -> WorkStart?
  /// A closure that fetches the page of a load, and returns the page and the event with the page.
  @usableFromInline typealias Perform =
    @Sendable (_ load: ListLoad<Item>, _ fetch: PageFetch) async throws -> (
      event: any RequestEvent, value: any Sendable
    )

  @usableFromInline let id: ListID
  @usableFromInline let options: ListOptions<Item>
  @usableFromInline let repository: ListLoading<Item>

  // The closures are created where the type of the state is statically known, so the compiler
  // specializes them for this type. Methods of this class would look up types in each call.

  /// A closure that calls another closure with the list in a store's state, or does nothing for the
  /// state of another store.
  let withList: @Sendable (_ state: any FluxState, _ body: (ListState<Item>) -> Void) -> Void
  /// A closure that returns whether there is anything to load.
  let isDue: @Sendable (_ load: ListLoad<Item>, _ state: any FluxState) -> Bool
  let start: Start
  let perform: Perform

  /// The policy that applies each time the list is loaded.
  let policy: WorkPolicy
  /// The policy that applies each time the next page is loaded.
  let policyOfNextPage: WorkPolicy

  /// Creates the source of a list.
  ///
  /// - Parameters:
  ///   - id: The id of the list.
  ///   - options: The options of the list.
  ///   - repository: The methods of the list's repository.
  ///   - list: The path to the list in the state.
  @inlinable
  convenience init<Root: FluxState>(
    _ id: ListID, _ options: ListOptions<Item>, _ repository: ListLoading<Item>,
    _ list: PartReader<Root, ListState<Item>>
  ) {
    self.init(
      id, options, repository,
      withList: { state, body in list(state) { body($0.pointee) } },
      isDue: { load, state in
        var isDue = false
        list(state) { isDue = load.isDue(in: $0.pointee) }
        return isDue
      },
      start: { load, context in load.start(in: context) },
      perform: { load, fetch in
        var (position, total): (PagePosition?, Int?) = (.first, nil)
        if load.kind == .next {
          list(fetch.state) { (position, total) = ($0.pointee.nextPage, $0.pointee.total) }
        }
        let answer = try await load.fetchPage(at: position, of: total, fetch.services, fetch.time)
        return (RequestFulfilled(load, id: fetch.id, value: answer), answer)
      })
  }

  @usableFromInline
  init(
    _ id: ListID, _ options: ListOptions<Item>, _ repository: ListLoading<Item>,
    withList: @escaping @Sendable (_ state: any FluxState, _ body: (ListState<Item>) -> Void) -> Void,
    isDue: @escaping @Sendable (_ load: ListLoad<Item>, _ state: any FluxState) -> Bool,
    start: @escaping Start, perform: @escaping Perform
  ) {
    self.id = id
    self.options = options
    self.repository = repository
    self.withList = withList
    self.isDue = isDue
    self.start = start
    self.perform = perform
    policy = options.policy.shared(by: id)
    var policy = policy
    // If two threads dispatch the same action at the same time, both actions can be wanted. The
    // next page must not be loaded twice at the same time, and loading it must not cancel a
    // refresh.
    if policy.rules.overlap == .latest { policy.rules = WorkRules(.leading) }
    policyOfNextPage = policy
  }

  var cancel: CancelWork { CancelWork(id: id, because: "loading was canceled") }

  /// Returns the list in a store's state, or `nil` for the state of another store.
  func read(_ state: any FluxState) -> ListState<Item>? {
    var list: ListState<Item>?
    withList(state) { list = $0 }
    return list
  }
}
