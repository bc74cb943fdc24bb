public import FluxCore
public import FluxMiddleware
public import Foundation

extension Plugin where State: Encodable {
  /// Returns a plug-in that keeps the newest actions in a file, for a report after a crash of the
  /// program.
  ///
  /// ```swift
  /// let report = try CrashReport.load(from: folder)
  /// let store = try Store(
  ///   reducer: appReducer, plugins: [.journal(in: folder, actions: registry)], state: AppState())
  /// ```
  ///
  /// The plug-in writes each action before the reducer runs. The file is mapped into memory, so a
  /// dispatch makes no system call. The file contains snapshots of the state, and all actions
  /// after the oldest snapshot. When the actions fill half of the capacity, one dispatch also
  /// encodes the state, and the new snapshot replaces the older half.
  ///
  /// **What survives.** After the program crashes or is killed, the file contains each action
  /// whose reducer was called, in the order of the reductions. The system writes the file to disk
  /// later, often after 30 seconds, and in any order. After a power failure or a crash of the
  /// system, a report can therefore lack the newest actions, or all actions. A report never
  /// contains an action that was written incompletely, and ``CrashReport/problems`` contains what
  /// is missing.
  ///
  /// **Normal ends.** If the store is released, or if the program calls `exit` or returns from its
  /// main function, there is no report. A signal that ends the program, such as `SIGTERM`, counts
  /// as a crash.
  ///
  /// **Costs.** Each action costs its encoding as JSON, and about 700 instructions. Both are
  /// spent under the store's lock. The encoded state should take less than a quarter of the
  /// capacity. The journal does not record a state that takes more than three quarters of one
  /// half. It records only the name of an action that takes more than a quarter of one half.
  ///
  /// Put the plug-in before all other plug-ins, so that it also records the actions that they
  /// reduce themselves. Most of these actions, such as the actions of a history, cannot be
  /// registered. A replay to a step after such an action begins at a later snapshot, or throws an
  /// error if there is none. A replay is correct only if one reducer has reduced all actions, so
  /// do not replace the reducer. Use the plug-in with one store.
  ///
  /// - Parameters:
  ///   - directory: A directory that contains only this journal, on a local disk.
  ///   - capacity: The number of bytes of the file, of which at least half contains the newest
  ///     actions. The minimum is 2,112.
  ///   - actions: The actions that can be encoded. The journal contains only the names of all
  ///     other actions, and a replay stops at such an action.
  ///   - redaction: The rules for secrets, which use the names and paths in the JSON. The file
  ///     contains placeholders instead of secrets, so a replay uses the placeholders.
  ///   - onProblem: A closure that is called on another thread for each type of action that is not
  ///     registered or cannot be encoded, and for each snapshot that is not recorded. The default
  ///     closure writes to standard error.
  /// - Throws: ``LogError/Code/inUse`` if another object or another process uses the directory,
  ///   ``LogError/Code/unwritable``, for example because the disk is full, or
  ///   ``LogError/Code/unreadable``.
  public static func journal(
    in directory: URL, capacity: Int = 8 << 20, actions: ActionRegistry,
    redacting redaction: Redaction = .none,
    onProblem: @escaping @Sendable (LogError) -> Void = { LogSink.standardError.write("Flux: \($0)") }
  ) throws(LogError) -> Plugin {
    let journal = try Journal(
      in: directory, capacity: capacity, actions: actions, redacting: redaction, onProblem: onProblem)
    var plugin = Plugin(
      wrapReducer: { reducer in
        { state, action in
          let record = journal.record(of: action)
          if !journal.begin(record) { journal.beginHalf(with: state, andThen: record) }
          reducer(&state, action)
          journal.end()
        }
      },
      onStoreEnd: { _ in journal.close() })
    plugin.onStoreProxy = { store in journal.start(store.state) }
    return plugin
  }
}
