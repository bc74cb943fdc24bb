import FluxCollections
import FluxCore
import TestSupport
import Testing

/// The element of most tests.
///
/// Its text distinguishes it from another element with the same id.
struct Entry: IdentifiableState, Hashable, Codable, Comparable {
  var id: Int
  var text: String

  init(_ id: Int, _ text: String = "") {
    self.id = id
    self.text = text
  }

  static func < (left: Entry, right: Entry) -> Bool { (left.text, left.id) < (right.text, right.id) }
}

/// A list of entries with these ids.
func list(_ ids: some Sequence<Int>) -> OrderedState<Entry> {
  OrderedState(ids.map { Entry($0, "\($0)") })
}

/// Expects that a change modifies neither the elements nor the stamp.
func expectUnchanged(
  _ list: OrderedState<Entry>, sourceLocation: SourceLocation = #_sourceLocation,
  by change: (inout OrderedState<Entry>) -> Void
) {
  var changed = list
  change(&changed)
  #expect(changed.values == list.values, sourceLocation: sourceLocation)
  #expect(changed.stamp == list.stamp, sourceLocation: sourceLocation)
}
