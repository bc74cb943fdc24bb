import FluxAsync
import FluxCollections

extension CacheContents {
  // MARK: Mutations

  /// Records that a mutation has begun, and shows its edits.
  mutating func mutationBegan(_ id: RequestID, _ edits: [QueryEdit]) {
    runningMutations[id] = .some(edits.map(\.key))
    for edit in edits { begin(edit, by: .mutation(id)) }
  }

  /// Confirms the edits of a mutation, stores the results that its answer contains, and marks the
  /// entries that provide matching tags as out of date.
  ///
  /// The method has no effect on the entries if the cache was emptied after the mutation began.
  mutating func mutationSucceeded(
    _ id: RequestID, answering edits: [QueryEdit], invalidating tags: Set<QueryTag>,
    at time: Duration? = nil
  ) {
    guard case .some(.some(let keys)) = runningMutations.removeValue(forKey: id) else { return }
    for key in keys {
      for edit in overlays[key]?.edits(of: .mutation(id)) ?? [] { noteConfirmed(edit) }
      changeOverlay(key, confirming: true, at: time) { overlay, request in
        overlay.confirm(.mutation(id), during: request)
      }
    }
    for edit in edits { confirm(edit, at: time) }
    invalidate(tags)
  }

  /// Removes the edits of a mutation that has failed, and marks the entries that provide matching
  /// tags as out of date.
  mutating func mutationFailed(_ id: RequestID, invalidating tags: Set<QueryTag>) {
    guard case .some(.some(let keys)) = runningMutations.removeValue(forKey: id) else { return }
    for key in keys {
      changeOverlay(key) { overlay, _ in
        overlay.remove(.mutation(id))
        return nil
      }
    }
    invalidate(tags)
  }

  // MARK: Updates of the server

  /// Applies a change that the server has reported, if the cache has the entry.
  mutating func updated(_ edit: QueryEdit, at time: Duration? = nil) {
    if entries.contains(id: edit.key) { confirm(edit, at: time) }
  }

  /// Makes a change part of the last result of the server.
  private mutating func confirm(_ edit: QueryEdit, at time: Duration?) {
    noteConfirmed(edit)
    changeOverlay(edit.key, confirming: true, at: time) { overlay, request in
      overlay.confirm(edit, during: request)
    }
  }

  // MARK: Manual edits

  /// Shows edits until they are undone or newer results arrive.
  mutating func edit(_ edits: [QueryEdit], as id: EditID) {
    for edit in edits {
      // The next result replaces a manual edit, so an edit of a missing result has no effect.
      var value = entries[id: edit.key]?.value
      edit.apply(&value)
      if value != nil { begin(edit, by: .manual(id)) }
    }
  }

  /// Removes manual edits.
  mutating func undo(_ keys: [QueryKey], of id: EditID) {
    for key in keys where overlays[key] != nil {
      changeOverlay(key) { overlay, _ in
        overlay.remove(.manual(id))
        return nil
      }
    }
  }

  // MARK: Overlays

  private mutating func begin(_ edit: QueryEdit, by source: QueryOverlay.Source) {
    changeOverlay(edit.key) { overlay, _ in
      overlay.began(edit, by: source)
      return nil
    }
  }

  /// Changes the overlay of an entry, and shows the result.
  ///
  /// - Parameters:
  ///   - key: The identity of the entry.
  ///   - confirms: A Boolean value that indicates whether the closure changes the confirmed result.
  ///   - time: The time of a result that the closure confirms, or `nil` if the time is not known.
  ///   - body: A closure that receives the overlay and the running request of the entry. The
  ///     closure returns the tags of a confirmed result, or `nil` if it has confirmed none.
  private mutating func changeOverlay(
    _ key: QueryKey, confirming confirms: Bool = false, at time: Duration? = nil,
    _ body: (inout QueryOverlay, _ request: RequestID?) -> Set<QueryTag>?
  ) {
    let entry = entries[id: key]
    var overlay = overlays[key] ?? QueryOverlay(confirmed: confirmedValue(of: key))
    let confirmed = overlay.confirmed
    let tags = body(&overlay, entry?.request)
    if confirms { storeChangedEntities(of: key, from: confirmed, to: overlay.confirmed, at: time) }
    let shown = showingEntities(in: overlay.shown, of: key)
    overlays[key] = overlay.isEmpty ? nil : overlay
    // An edit of a result that does not exist creates no entry.
    guard entry != nil || shown != nil else { return }
    change(key, providing: tags) { entry in
      entry.show(shown)
      guard tags != nil else { return }
      entry.error = nil
      entry.fulfilledAt = time ?? entry.fulfilledAt
      (entry.isInvalidated, entry.awaitsRefetch) = (false, false)
    }
  }

  /// Replaces the confirmed result of an entry with edits, and returns the result to show.
  mutating func answered(_ key: QueryKey, _ value: any Sendable, by id: RequestID) -> any Sendable {
    overlays[key]?.answered(value, by: id)
    let shown = overlays[key]?.shown ?? value
    dropOverlayIfEmpty(key)
    return shown
  }

  mutating func dropOverlayIfEmpty(_ key: QueryKey) {
    if overlays[key]?.isEmpty == true { overlays[key] = nil }
  }
}
