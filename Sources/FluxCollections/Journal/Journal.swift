/// The ids that have changed recently, with the version of each change.
///
/// The journal contains at least the last ``reach`` changes. The journal consists of chunks.
/// Copies of a journal share all chunks except the newest chunk. Therefore, if an old version is
/// kept, a later change copies only one chunk.
@usableFromInline
struct Journal<ID: Hashable> {
  @usableFromInline
  struct Entry {
    @usableFromInline let stamp: VersionStamp
    @usableFromInline let id: ID

    @inlinable
    init(stamp: VersionStamp, id: ID) {
      self.stamp = stamp
      self.id = id
    }
  }

  @inlinable static var chunk: Int { 64 }
  @inlinable static var reach: Int { 1024 }

  /// The version since which the journal contains all changes.
  @usableFromInline var start: VersionStamp
  /// The full chunks, from the oldest to the newest.
  @usableFromInline var older: ContiguousArray<ContiguousArray<Entry>> = []
  @usableFromInline var newest: ContiguousArray<Entry> = []

  @inlinable
  init(start: VersionStamp) {
    self.start = start
  }

  @inlinable @inline(__always)
  mutating func record(_ id: ID, at stamp: VersionStamp) {
    if newest.count == Journal.chunk { turnOver() }
    newest.append(Entry(stamp: stamp, id: id))
  }

  /// Moves the newest chunk to the older chunks, and reuses the oldest chunk if the journal is
  /// full.
  @inlinable
  mutating func turnOver() {
    var spare: ContiguousArray<Entry> = []
    if older.count > Journal.reach / Journal.chunk {
      spare = older.removeFirst()
      start = spare[spare.count - 1].stamp
      spare.removeAll(keepingCapacity: true)
    }
    spare.reserveCapacity(Journal.chunk)
    older.append(newest)
    newest = spare
  }

  /// Discards all changes before a version.
  @inlinable
  mutating func forget(at stamp: VersionStamp) {
    start = stamp
    older = []
    newest = []
  }

  /// Returns the id that has changed since a version if it is the only one, and if the journal
  /// also contains that version as the one before the change.
  @inlinable
  func onlyChange(since stamp: VersionStamp) -> ID? {
    let last = newest.count - 1
    guard last > 0, newest[last - 1].stamp == stamp else { return nil }
    return newest[last].id
  }

  /// Returns the ids of the elements that changed after a version, without repetitions.
  ///
  /// The ids are in the order in which their elements first changed after the version.
  ///
  /// The method returns `nil` if the version is too old, or if it is not a version of this list.
  @inlinable
  func changes(since stamp: VersionStamp) -> [ID]? {
    var isKnown = stamp == start
    var changed: [ID] = []
    // The search begins with the newest change, because callers usually need only that change.
    search: for number in (0...older.count).reversed() {
      let chunk = number == older.count ? newest : older[number]
      for entry in chunk.reversed() {
        if entry.stamp.value <= stamp.value {
          if entry.stamp == stamp { isKnown = true }
          break search
        }
        changed.append(entry.id)
      }
    }
    guard isKnown else { return nil }
    if changed.count < 2 { return changed }
    var told: Set<ID> = []
    return changed.reversed().filter { told.insert($0).inserted }
  }
}

extension Journal.Entry: Sendable where ID: Sendable {}
extension Journal: Sendable where ID: Sendable {}
