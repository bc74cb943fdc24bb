/// What the program is told in its arguments.
struct Options {
  var port: UInt16 = 0
  var every = 1_000
  var actions = 20

  /// Reads them in pairs; what is not known is left alone.
  init(_ arguments: some Sequence<String>) {
    var iterator = arguments.makeIterator()
    while let name = iterator.next(), let value = iterator.next() {
      switch name {
      case "--port": port = UInt16(value) ?? port
      case "--every": every = Int(value) ?? every
      case "--actions": actions = Int(value) ?? actions
      default: continue
      }
    }
  }
}
