import Dispatch
public import FluxCore
import Foundation
import Synchronization

/// An object that saves the changes to a state, or to a part of it, and loads the saved state when
/// the app starts.
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
/// Use each `Persistence` object with only one store. Put the persistence plug-in before all
/// other plug-ins, so that it is the outermost plug-in. If several `Persistence` objects use one
/// storage, give them different names, so that no object overwrites the files of another object.
///
/// **What a crash can lose.** A change starts a window of time, which later changes do not
/// extend. When the window closes, the state is saved in the background. After the store notifies
/// its plug-ins of a change, the change is therefore on disk within the time of one window and
/// one save. The store notifies its plug-ins immediately, unless an observer is slow. `flush`
/// saves immediately and waits for the save to finish. When the store is released, the
/// `Persistence` object also saves the state and waits for the save to finish. The `Persistence`
/// object detects every change, including the changes that other plug-ins make.
///
/// **What is never lost.** A save first writes a separate file, and keeps the previous file. If a
/// file cannot be used, or if a newer version of the program saved it, the `Persistence` object
/// renames the file so that its name indicates the reason (`state.corrupt-1.json`). A renamed
/// file is neither overwritten nor removed. The `Persistence` object reports each problem, and
/// loads the previous file if the current file cannot be used. If a save fails, the failure is
/// reported. A failed save is repeated after one window of at least one second, and by the next
/// flush.
///
/// **Starting without loading.** If a store is created before anything has been loaded, nothing
/// is saved until the saved part differs from the part in the initial state. If the program has
/// neither loaded nor restored a saved file before the first save, that save keeps a copy of the
/// file (`state.not-restored-1.json`) and reports ``PersistenceError/Code/notRestored``. If the
/// outcome of a restore is ``RestoreOutcome/superseded``, the first save after the restore also
/// keeps a copy of the file and reports ``PersistenceError/Code/notRestored``.
/// ``restore(merging:)`` loads the copy and combines it with the changes in the store.
///
/// **After a failure.** A failed save might have written the state despite the failure. The
/// next save or flush therefore writes the state again, even if it equals the state that was on
/// disk before. After `flush` returns, the next start of the program loads the state at the
/// time of the call or a newer state, even after a power loss.
///
/// Each file contains one line that protects the contents, followed by readable JSON. If a file
/// is edited manually, it is treated as corrupt. Equal states should have equal encodings.
/// If equal states have different encodings, an unchanged state is written again. For example,
/// equal dictionaries whose keys are not strings can have different encodings.
///
/// **Costs.** For each action, the plug-in costs about 1,500 instructions, like any other plug-in
/// that observes transitions. A save copies the saved part from the state, and encodes and writes
/// the part in the background. If a collection in the part changes in place during a save, the
/// change copies the collection. The first in-place change after the store is created also copies
/// the collection.
///
/// You can call every member from any thread, but not from a reducer or from the storage.
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
  let blockingCode = BlockingCode()
  let onProblem: @Sendable (PersistenceError) -> Void
  let contents: Locked<Contents>
  /// A Boolean value that indicates whether an action has reached the reducer.
  let hasReduced = Atomic(false)

  /// Creates an object that saves a part of the state.
  ///
  /// - Parameters:
  ///   - part: The part of the state that is saved.
  ///   - storage: The storage that contains the files.
  ///   - name: The beginning of the file names. Each `Persistence` object that uses the storage
  ///     requires a different name.
  ///   - version: The version of the saved part. A file with an older version is migrated when
  ///     it is loaded. A file that was saved with a newer version is set aside.
  ///   - migrations: The steps from each old version to the next version.
  ///   - window: The time from a change until the start of the save that includes the change.
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

  /// Creates an object that saves the whole state.
  ///
  /// The parameters are the same as for
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
  /// Pass the plug-in to one store, as the first of its plug-ins. The plug-in retains the
  /// `Persistence` object while the store exists, and does not retain the store. If you use the
  /// plug-in in a second store, the program stops with a message, because two states cannot share
  /// a file.
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
  /// The method loads the current file, or the previous file if the current file cannot be used.
  /// A file with unusable contents is set aside. Each problem is reported, and is also part of
  /// the result. The method blocks the calling thread while it reads the file. The method takes
  /// O(n) time for a file of n bytes.
  public func load() -> Loaded<Saved> {
    let (found, problems, _) = find(toStartWith: true)
    guard let found else { return Loaded(value: nil, origin: .nothing, problems: problems) }
    return Loaded(
      value: found.value, origin: found.from == .current ? .current : .previous, problems: problems)
  }

  /// Returns a copy of a state in which the saved part, if any, replaces the current part.
  ///
  /// If you need the origin of the value or the problems, use ``load()`` instead.
  public func restored(_ initial: State) -> State {
    guard let value = load().value else { return initial }
    var state = initial
    part.set(&state, value)
    return state
  }

  /// Loads the saved part into a running store, unless another action has already been reduced.
  ///
  /// The method loads the part in the background, and then dispatches an action, which is reduced
  /// in the same serial order as all other actions. The saved part replaces the part in the store
  /// only if no other action has reached the reducer yet. If another action has reached the
  /// reducer, the part in the store does not change, and the outcome is
  /// ``RestoreOutcome/superseded``.
  ///
  /// The persistence plug-in must be the first plug-in of the store, because the `Persistence`
  /// object does not detect actions that an earlier plug-in drops.
  public func restore() async -> RestoreOutcome {
    await restore { [self] saved, _, _ in
      first() == nil || hasReduced.load(ordering: .relaxed) ? nil : saved
    }
  }

  /// Loads the saved part into a running store, unless the part in the store has already
  /// changed.
  ///
  /// The method loads the part in the background, and then dispatches an action, which is
  /// reduced in the same serial order as all other actions. The saved part replaces the part in
  /// the store only if the part in the store still equals the part in the initial state. The
  /// saved part also does not replace the part in the store if a save of a different value has
  /// begun, or if a part has been restored, since the store was created. If the part in the
  /// store is not replaced, the outcome is ``RestoreOutcome/superseded``, and the next save
  /// keeps a copy of the saved file. The reducer calls the `==` operator under the store's
  /// lock.
  public func restore() async -> RestoreOutcome where Saved: Equatable {
    await restore { [self] saved, _, current in first() == current ? saved : nil }
  }

  /// Loads the saved part, and merges it with the part in a running store.
  ///
  /// ```swift
  /// await persistence.restore { saved, current in
  ///   Notes(items: saved.items + current.items)
  /// }
  /// ```
  ///
  /// The method loads the part in the background, and then dispatches an action, which is
  /// reduced in the same serial order as all other actions. The saved part is merged only once.
  /// If a save has replaced a file that was not restored, the save has kept a copy of the file,
  /// and this method loads the copy. After a restore, or after a save that replaced a loaded
  /// file, there is nothing left to merge, and the outcome is ``RestoreOutcome/superseded``.
  ///
  /// Call either ``load()`` or this method, but not both, because a merge would duplicate the
  /// contents of a part that was loaded for the initial state.
  ///
  /// - Parameter merge: A closure that returns the combination of the saved part and the part
  ///   in the store. The reducer calls the closure under the store's lock, and also calls it if
  ///   nothing has changed since the store was created.
  /// - Returns: The outcome, which is ``RestoreOutcome/restored`` if the part was merged.
  @discardableResult
  public func restore(
    merging merge: @escaping @Sendable (_ saved: Saved, _ current: Saved) -> Saved
  ) async -> RestoreOutcome {
    await restore { [self] saved, source, current in
      contents.withLock { $0.saved.mayMerge(from: source) } ? merge(saved, current) : nil
    }
  }

  // MARK: - Saving

  /// Saves all changes, and waits until the changes are on disk.
  ///
  /// When the method returns, every change that was reduced before the call is on disk, and the
  /// next start of the program loads the saved part. As the only exception, a part that equals the
  /// part in the initial state is not written if nothing has been loaded, restored, or saved. If
  /// the last save failed, the method saves the state even after the store has been released. The
  /// time is proportional to the size of the saved part, even if nothing has changed, because the
  /// method compares the part with the part on disk.
  ///
  /// The calling thread saves the state, or waits for another thread that is saving it. The
  /// method never returns if it is called by:
  ///
  /// - An observer of transitions that has just released the store.
  /// - The `onStoreEnd` closure of an earlier plug-in.
  /// - A migration.
  /// - The encoding or decoding of the state.
  ///
  /// - Throws: The error that prevented the save, which was also reported. The file from the
  ///   previous save does not change.
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

  /// Saves all changes, and waits until the changes are on disk, without blocking the calling
  /// thread.
  ///
  /// The method runs the synchronous `flush` in the background. If the task is canceled, the
  /// method still waits.
  ///
  /// - Throws: The error that prevented the save, which was also reported. The file from the
  ///   previous save does not change.
  public func flush() async throws(PersistenceError) {
    let result = await blockingCode.result { () -> Result<Void, PersistenceError> in
      do throws(PersistenceError) {
        return .success(try self.flush())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
