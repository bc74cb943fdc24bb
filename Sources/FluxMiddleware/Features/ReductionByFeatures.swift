import FluxCore
import Synchronization

/// A task-local record of whether attached features have changed the state in a reduction.
///
/// A program that reduces a saved action again, in a later run, does not have the features that
/// were attached in this run. An object that saves actions therefore saves the state after such a
/// reduction instead.
enum ReductionByFeatures {
  private final class Note: Sendable {
    let isMade = Atomic(false)
  }

  @TaskLocal private static var note: Note?

  private static let arePossible = Atomic(false)
  private static let hasNotes = Atomic(false)

  /// Records that the process attaches a feature to a store.
  static func recordAttachment() { arePossible.store(true, ordering: .relaxed) }

  /// A Boolean value that indicates whether an object follows the present reduction.
  static var areFollowed: Bool { hasNotes.load(ordering: .relaxed) && note != nil }

  /// Calls a closure that reduces an action.
  ///
  /// - Returns: A Boolean value that indicates whether attached features have changed the state.
  static func follow(_ reduce: () -> Void) -> Bool {
    guard arePossible.load(ordering: .relaxed) else {
      reduce()
      return false
    }
    hasNotes.store(true, ordering: .relaxed)
    let note = Note()
    $note.withValue(note, operation: reduce)
    return note.isMade.load(ordering: .relaxed)
  }

  /// Records that attached features have changed the state.
  static func wasMade() {
    note?.isMade.store(true, ordering: .relaxed)
  }
}

extension FeatureStates {
  /// Returns a Boolean value that indicates whether a value is, or has among its stored properties,
  /// the states of features.
  ///
  /// The reducer of a part of the state contains the reducer of the whole state, so attached
  /// features can also change other parts. The function does not visit the elements of
  /// collections, so its cost depends only on the number of properties.
  static func areStored(in value: Any) -> Bool {
    if value is FeatureStates { return true }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct, .tuple, .enum, .optional: return mirror.children.contains { areStored(in: $0.value) }
    default: return false
    }
  }
}
