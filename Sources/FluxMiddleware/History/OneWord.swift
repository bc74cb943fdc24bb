/// A box of one word for a value of any size, with value semantics.
struct OneWord<Value: Sendable>: Sendable {
  // An array of one element shares the value among copies, and copies it when one of them
  // changes.
  private var place: [Value]

  init(_ value: Value) {
    place = [value]
  }

  var value: Value {
    _read { yield place[0] }
    _modify { yield &place[0] }
  }
}
