/// Which ids have changed lately, and in which version.
///
/// It reaches back over at least ``reach`` changes. It is kept in chunks of which copies share all but the
/// newest, so that an old version that is kept costs a later change one chunk.
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

  /// The version after which every change is known.
  @usableFromInline var start: VersionStamp
  /// Full chunks, the oldest first.
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

  /// Puts the newest chunk with the older ones, and the oldest to new use.
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

  /// Begins anew with a version of which nothing is known but what it is.
  @inlinable
  mutating func forget(at stamp: VersionStamp) {
    start = stamp
    older = []
    newest = []
  }

  /// The ids that changed after a version, each once, in the order of their first change; `nil` if that
  /// version is not one that this list has been through, or too long ago.
  @inlinable
  func changes(since stamp: VersionStamp) -> [ID]? {
    var isKnown = stamp == start
    var changed: [ID] = []
    // From the newest on, since what is asked for is most often the last change.
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
