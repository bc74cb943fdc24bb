/// A value that takes one word where it is kept, however large it is, and is copied like any other.
struct OneWord<Value: Sendable>: Sendable {
  // An array of one shares it among copies, and parts them when one changes.
  private var place: [Value]

  init(_ value: Value) {
    place = [value]
  }

  var value: Value {
    _read { yield place[0] }
    _modify { yield &place[0] }
  }
}
