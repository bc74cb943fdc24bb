import Dispatch
public import FluxCore
import Foundation
import Synchronization

/// Saves a state, or a part of it, when it changes, and loads it when the app starts.
///
/// ```swift
/// let persistence = Persistence(
///   of: \AppState.library, in: FileStorage(directory: folder), version: 2,
///   migrations: [Migration(from: 1) { json in json["films"] = json["movies"] }])
/// let store = Store(
///   reducer: appReducer, plugins: [persistence.plugin], state: persistence.restored(AppState()))
/// …
/// try persistence.flush()
/// ```
///
/// One persistence belongs to one store. Put its plug-in first, so that it is the outermost. Several
/// persistences in one storage need different names: under one name each would overwrite what the other saved.
///
/// **What a crash can lose.** A change starts a window, which later changes do not prolong; when it closes
/// the state is saved in the background. So a change is on disk at the latest one window after the store has
/// told its plug-ins of it, which it does at once unless an observer is slow, plus the time that saving
/// takes. `flush` waits for that; releasing the store saves, and waits too. Every change is noticed, also one
/// that another plug-in makes.
///
/// **What is never lost.** A save writes aside, and keeps the generation before. A file that cannot be used,
/// or that a newer version of the program saved, is renamed so that its name says why
/// (`state.corrupt-1.json`), and is neither overwritten nor removed. Each such problem is reported, and the
/// generation before is tried. A save that fails is reported and tried again: after a window, of a second at
/// least, and by a flush.
///
/// **Starting without loading.** A store that was made before anything was loaded saves nothing until the
/// saved part differs from the one that the store was made with. If the program has neither loaded nor
/// restored a saved file by then, the first save keeps a copy of the file (`state.not-restored-1.json`) and
/// reports ``PersistenceError/Code/notRestored``. So does the first save after a restore whose outcome is
/// ``RestoreOutcome/superseded``. ``restore(merging:)`` loads the copy, and combines it with the edits.
///
/// **After a failure.** A save that failed may have written the state all the same. Therefore the next save
/// or flush writes again, even a state that equals the one on disk before. When `flush` returns, the next
/// start loads the state of that time, also after a loss of power.
///
/// The files are readable JSON behind one line that guards them; a file that was edited by hand is corrupt.
/// States that are equal should encode equally (a dictionary whose keys are no strings does not), or they are
/// written again.
///
/// **Costs.** An action costs what any plug-in costs that hears of transitions, some 1,500 instructions. A
/// save copies the part out of the state, encodes and writes it in the background; a change in place of a
/// collection in the part while that goes on, or the first one since the store was made, copies the
/// collection.
///
/// Every member may be called from any thread, but not from a reducer or from the storage.
public final class Persistence<State: Sendable, Saved: Codable & Sendable>: Sendable {
  /// How to reach the saved part.
  struct Part: Sendable {
    let get: @Sendable (State) -> Saved
    let set: @Sendable (inout State, Saved) -> Void
  }

  let part: Part
  let name: String
  let version: Int
  let migrations: [Migration]
  let window: Duration
  let timeline: Timeline
  let onProblem: @Sendable (PersistenceError) -> Void
  let contents: Locked<Contents>
  /// Whether an action has come to the reducer.
  let hasReduced = Atomic(false)

  /// Creates a persistence of a part of the state.
  ///
  /// - Parameters:
  ///   - part: What is saved.
  ///   - storage: Where it is saved.
  ///   - name: What the files' names begin with. Each persistence on a storage needs its own.
  ///   - version: The version of the saved part. A file of an older version is migrated when it is loaded,
  ///     one of a newer version is set aside.
  ///   - migrations: A step from each old version to the next.
  ///   - window: How long a change may wait until it is saved with those that follow it.
  ///   - clock: What measures the window.
  ///   - onProblem: Hears of everything that goes wrong, on the thread on which it did, outside any lock.
  ///     Writes to standard error, unless said otherwise.
  public init(
    of part: any WritableKeyPath<State, Saved> & Sendable,
    in storage: any StateStorage,
    name: String = "state",
    version: Int = 1,
    migrations: [Migration] = [],
    window: Duration = .seconds(1),
    clock: any Clock<Duration> = ContinuousClock(),
    onProblem: @escaping @Sendable (PersistenceError) -> Void = {
      LogSink.standardError.write("Flux: \($0)")
    }
  ) {
    self.part = Part(get: { $0[keyPath: part] }, set: { $0[keyPath: part] = $1 })
    self.name = name
    self.version = version
    self.migrations = migrations
    self.window = window
    self.timeline = Timeline(clock)
    self.onProblem = onProblem
    contents = Locked(
      Contents(
        generations: SavedGenerations(
          in: storage, name: name, version: version, legacy: migrations.legacy)))
  }

  /// Creates a persistence of a whole state.
  ///
  /// The parameters are those of ``init(of:in:name:version:migrations:window:clock:onProblem:)``.
  public convenience init(
    in storage: any StateStorage,
    name: String = "state",
    version: Int = 1,
    migrations: [Migration] = [],
    window: Duration = .seconds(1),
    clock: any Clock<Duration> = ContinuousClock(),
    onProblem: @escaping @Sendable (PersistenceError) -> Void = {
      LogSink.standardError.write("Flux: \($0)")
    }
  ) where State == Saved {
    self.init(
      of: \State.self, in: storage, name: name, version: version, migrations: migrations, window: window,
      clock: clock, onProblem: onProblem)
  }

  deinit {
    contents.withLock { $0.closing }?.cancel()
  }

  /// What makes a store save: to be given to one store, first among its plug-ins.
  ///
  /// It keeps the persistence for as long as the store lives, and nothing in it keeps the store. Given to a
  /// second store it stops the program with a message: two states cannot share a file.
  public var plugin: Plugin<State> {
    Plugin(
      middleware: { [self] dispatch, getState in
        begin(dispatch: dispatch, getState: getState)
        return { next in next }
      },
      wrapReducer: { [self] reducer in restoring(reducer) },
      onTransition: .actions { [self] _, _ in changed() },
      onStoreEnd: { [self] last in end(last) })
  }

  // MARK: - Loading

  /// Loads what was saved, for the store to start with.
  ///
  /// Tries the newest generation, then the one before. What it cannot use it sets aside, reports, and returns
  /// among the problems. Blocks while it reads; O(size of the file).
  public func load() -> Loaded<Saved> {
    let (found, problems, _) = find(toStartWith: true)
    guard let found else { return Loaded(value: nil, origin: .nothing, problems: problems) }
    return Loaded(
      value: found.value, origin: found.from == .current ? .current : .previous, problems: problems)
  }

  /// Returns a state in which the saved part, if there is one, is in place.
  ///
  /// It is ``load()`` for those who do not ask where the value is from.
  public func restored(_ initial: State) -> State {
    guard let value = load().value else { return initial }
    var state = initial
    part.set(&state, value)
    return state
  }

  /// Loads what was saved into the store that is already running, unless an action has come first.
  ///
  /// It loads in the background and then dispatches an action, which is reduced in order with all others. The
  /// rule: the saved part is put in place only if no action has come to the reducer before; otherwise what
  /// the user has done since stays, and the outcome is ``RestoreOutcome/superseded``.
  ///
  /// The plug-in has to be first, or it does not hear of actions that another plug-in keeps from it.
  public func restore() async -> RestoreOutcome {
    await restore { [self] saved, _, _ in
      first() == nil || hasReduced.load(ordering: .relaxed) ? nil : saved
    }
  }

  /// Loads what was saved into the store that is already running, unless the saved part has changed first.
  ///
  /// It loads in the background and then dispatches an action, which is reduced in order with all others. The
  /// rule: the saved part is put in place only if the part in the store still equals the one that the store
  /// was made with, and no save of another part has begun and no part was restored since. Otherwise the
  /// changes since then stay, the outcome is ``RestoreOutcome/superseded``, and the next save keeps a copy of
  /// the saved part. `==` is called where reducers run, under the store's lock.
  public func restore() async -> RestoreOutcome where Saved: Equatable {
    await restore { [self] saved, _, current in first() == current ? saved : nil }
  }

  /// Loads what was saved into the store that is already running, and combines it with what is there.
  ///
  /// ```swift
  /// await persistence.restore { saved, current in
  ///   Notes(items: saved.items + current.items)
  /// }
  /// ```
  ///
  /// The method loads in the background and then dispatches an action, which is reduced in order with all
  /// others. The saved part is merged once, even if a save has replaced it since the store was made: a save
  /// keeps a file that was not restored, and this method loads that file. After a restore, or a save that
  /// replaced a loaded file, there is nothing left to merge, and the outcome is
  /// ``RestoreOutcome/superseded``.
  ///
  /// Merging a part that was already loaded to start with would repeat its contents: call either ``load()``
  /// or this method.
  ///
  /// - Parameter merge: Returns the combined part, given the part that was saved and the part as it is in the store.
  ///   The reducer calls it under the store's lock, also if nothing has changed since the store was made.
  /// - Returns: The outcome; ``RestoreOutcome/restored`` if the part was merged.
  @discardableResult
  public func restore(
    merging merge: @escaping @Sendable (_ saved: Saved, _ current: Saved) -> Saved
  ) async -> RestoreOutcome {
    await restore { [self] saved, source, current in
      contents.withLock { $0.saved.mayMerge(from: source) } ? merge(saved, current) : nil
    }
  }

  // MARK: - Saving

  /// Saves what has changed, and waits until it is on disk.
  ///
  /// When the method returns, every change that was reduced before the call is on disk, and the next start
  /// loads the saved part. There is one exception: before anything was loaded, restored, or saved, a part that
  /// equals the one that the store was made with is not written. The method also saves after the end of the
  /// store, if the last save failed. O(size of the saved part) even if nothing has changed, since the method
  /// compares the part with what is on disk.
  ///
  /// The calling thread does the work, or waits for the one that does. These must not call it, for they would wait
  /// for themselves: an observer of transitions that has just released the store, the `onStoreEnd` of a plug-in
  /// before this one, a migration, and the coding of the state.
  ///
  /// - Throws: What kept the state from being saved; it was reported too. What was saved before is untouched.
  public func flush() throws(PersistenceError) {
    while true {
      takeTurn()
      switch saveInTurn() {
      case .saved: return
      case .failed(let error): throw error
      case .postponed: waitForEnd()
      }
    }
  }

  /// Saves what has changed, and waits until it is on disk, without blocking the caller's thread.
  ///
  /// As the other `flush`; the work is done in the background. Cancelling the task does not shorten the wait.
  ///
  /// - Throws: What kept the state from being saved; it was reported too. What was saved before is untouched.
  public func flush() async throws(PersistenceError) {
    let result = await inBackground { () -> Result<Void, PersistenceError> in
      do throws(PersistenceError) {
        return .success(try self.flush())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
