import Dispatch
public import FluxCore
import Foundation
import Synchronization

/// An object that saves the changes of a state, or of a part of it, and loads the saved state
/// when the app starts.
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
/// A persistence belongs to one store. Put its plug-in first, so that it is the outermost
/// plug-in. Several persistences in one storage need different names. With the same name, each
/// persistence would overwrite the files of the others.
///
/// **What a crash can lose.** A change starts a window, which later changes do not extend. When
/// the window closes, the state is saved in the background. A change is therefore on disk at
/// the latest one window, plus the time of one save, after the store has notified its plug-ins.
/// The store notifies them immediately, unless an observer is slow. `flush` waits for the save.
/// Releasing the store also saves the state and waits. The persistence notices every change,
/// including the changes that another plug-in makes.
///
/// **What is never lost.** A save writes a separate file first, and keeps the previous file. A
/// file that cannot be used, or that a newer version of the program saved, is renamed so that
/// its name states the reason (`state.corrupt-1.json`). It is neither overwritten nor removed.
/// Each such problem is reported, and the previous file is loaded instead. A save that fails is
/// reported and repeated: after one window, which then takes at least a second, and by the next
/// flush.
///
/// **Starting without loading.** If a store is created before anything was loaded, nothing is
/// saved until the saved part differs from the part in the initial state. If the program has
/// neither loaded nor restored a saved file by then, the first save keeps a copy of the file
/// (`state.not-restored-1.json`) and reports ``PersistenceError/Code/notRestored``. The first
/// save after a restore whose outcome is ``RestoreOutcome/superseded`` does the same.
/// ``restore(merging:)`` loads the copy and combines it with the edits.
///
/// **After a failure.** A save that failed may nevertheless have written the state. Therefore,
/// the next save or flush writes again, even if the state equals the state that was on disk
/// before. When `flush` returns, the next start loads the state at the time of the call, even
/// after a loss of power.
///
/// The files are readable JSON after one line that protects the contents. A file that was
/// edited manually is corrupt. Equal states should have equal encodings. Otherwise, an
/// unchanged state is written again. For example, the encoding of a dictionary whose keys are
/// not strings can differ between equal states.
///
/// **Costs.** Each action has the cost of any plug-in that observes transitions, about 1,500
/// instructions. A save copies the saved part out of the state, and encodes and writes it in
/// the background. If a collection in the part changes in place during a save, the change
/// copies the collection. The first such change after the creation of the store also copies the
/// collection.
///
/// Every member can be called from any thread, but not from a reducer or from the storage.
public final class Persistence<State: Sendable, Saved: Codable & Sendable>: Sendable {
  /// The functions that read and replace the saved part of a state.
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
  /// A Boolean value that indicates whether an action has reached the reducer.
  let hasReduced = Atomic(false)

  /// Creates a persistence for a part of the state.
  ///
  /// - Parameters:
  ///   - part: The part of the state that is saved.
  ///   - storage: The storage that keeps the files.
  ///   - name: The beginning of the file names. Each persistence in a storage needs its own
  ///     name.
  ///   - version: The version of the saved part. When a file of an older version is loaded, it
  ///     is migrated. A file of a newer version is set aside.
  ///   - migrations: A step from each old version to the next.
  ///   - window: The longest time that a change waits before it is saved together with later
  ///     changes.
  ///   - clock: The clock that measures the window.
  ///   - onProblem: A closure that is called with every problem, outside any lock, on the
  ///     thread on which the problem occurred. The default closure writes to standard error.
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

  /// Creates a persistence for a whole state.
  ///
  /// The parameters are those of
  /// ``init(of:in:name:version:migrations:window:clock:onProblem:)``.
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

  /// The plug-in that saves the state of a store.
  ///
  /// Give the plug-in to one store, as the first of its plug-ins. The plug-in retains the
  /// persistence while the store is alive, and does not retain the store. If a second store
  /// receives the plug-in, the program stops with a message, because two states cannot share a
  /// file.
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

  /// Loads the saved part for the initial state of a store.
  ///
  /// The method loads the current file, or, if that file cannot be used, the previous file. A
  /// file with unusable contents is set aside. Each problem is reported and is also part of the
  /// result. The method blocks while it reads. O(size of the file).
  public func load() -> Loaded<Saved> {
    let (found, problems, _) = find(toStartWith: true)
    guard let found else { return Loaded(value: nil, origin: .nothing, problems: problems) }
    return Loaded(
      value: found.value, origin: found.from == .current ? .current : .previous, problems: problems)
  }

  /// Returns a state that contains the saved part, if there is one.
  ///
  /// Use ``load()`` instead to get the origin of the value and the problems.
  public func restored(_ initial: State) -> State {
    guard let value = load().value else { return initial }
    var state = initial
    part.set(&state, value)
    return state
  }

  /// Loads the saved part into a running store, unless an action was reduced first.
  ///
  /// The method loads in the background and then dispatches an action, which is reduced in
  /// order with all other actions. The saved part is put in place only if no other action has
  /// reached the reducer before. Otherwise, the changes that the user has made stay, and the
  /// outcome is ``RestoreOutcome/superseded``.
  ///
  /// The plug-in of the persistence must be the first plug-in of the store. Otherwise, the
  /// persistence does not notice actions that another plug-in keeps from it.
  public func restore() async -> RestoreOutcome {
    await restore { [self] saved, _, _ in
      first() == nil || hasReduced.load(ordering: .relaxed) ? nil : saved
    }
  }

  /// Loads the saved part into a running store, unless the part in the store has changed first.
  ///
  /// The method loads in the background and then dispatches an action, which is reduced in
  /// order with all other actions. The saved part is put in place only if two conditions hold:
  /// the part in the store still equals the part in the initial state, and since then no save
  /// of another part has begun and no part was restored. Otherwise, the changes since then
  /// stay, the outcome is ``RestoreOutcome/superseded``, and the next save keeps a copy of the
  /// saved file. The `==` operator is called by the reducer, under the store's lock.
  public func restore() async -> RestoreOutcome where Saved: Equatable {
    await restore { [self] saved, _, current in first() == current ? saved : nil }
  }

  /// Loads the saved part and merges it into the part of a running store.
  ///
  /// ```swift
  /// await persistence.restore { saved, current in
  ///   Notes(items: saved.items + current.items)
  /// }
  /// ```
  ///
  /// The method loads in the background and then dispatches an action, which is reduced in
  /// order with all other actions. The saved part is merged once, even if a save has replaced
  /// its file since the store was created: a save keeps a file that was not restored, and this
  /// method loads the kept file. After a restore, or after a save that replaced a loaded file,
  /// there is nothing left to merge, and the outcome is ``RestoreOutcome/superseded``.
  ///
  /// If the part was already loaded for the initial state, merging would repeat its contents.
  /// Call either ``load()`` or this method.
  ///
  /// - Parameter merge: Returns the combined part for the saved part and the part in the store.
  ///   The reducer calls the closure under the store's lock, even if nothing has changed since
  ///   the store was created.
  /// - Returns: The outcome. It is ``RestoreOutcome/restored`` if the part was merged.
  @discardableResult
  public func restore(
    merging merge: @escaping @Sendable (_ saved: Saved, _ current: Saved) -> Saved
  ) async -> RestoreOutcome {
    await restore { [self] saved, source, current in
      contents.withLock { $0.saved.mayMerge(from: source) } ? merge(saved, current) : nil
    }
  }

  // MARK: - Saving

  /// Saves all changes, and waits until they are on disk.
  ///
  /// When the method returns, every change that was reduced before the call is on disk, and the
  /// next start loads the saved part. There is one exception: before anything was loaded,
  /// restored, or saved, a part that equals the part in the initial state is not written. After
  /// the store has ended, the method also saves, if the last save failed. O(size of the saved
  /// part) even if nothing has changed, because the method compares the part with the part on
  /// disk.
  ///
  /// The calling thread does the work, or waits for the thread that is doing it. The following
  /// code must not call this method, because it would wait for itself: an observer of
  /// transitions that has just released the store, the `onStoreEnd` closure of an earlier
  /// plug-in, a migration, and the encoding or decoding of the state.
  ///
  /// - Throws: The error that prevented the save, which was also reported. The file that was
  ///   saved before is unchanged.
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

  /// Saves all changes, and waits until they are on disk, without blocking the calling thread.
  ///
  /// The method does the same as the synchronous `flush`, in the background. Canceling the task
  /// does not shorten the wait.
  ///
  /// - Throws: The error that prevented the save, which was also reported. The file that was
  ///   saved before is unchanged.
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
