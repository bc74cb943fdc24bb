/// The options in the program's arguments.
struct Options {
  var port: UInt16 = 0
  var every = 1_000
  var actions = 20
  var journal: String?

  /// Reads the arguments in pairs, and ignores unknown names.
  init(_ arguments: some Sequence<String>) {
    var iterator = arguments.makeIterator()
    while let name = iterator.next(), let value = iterator.next() {
      switch name {
      case "--port": port = UInt16(value) ?? port
      case "--every": every = Int(value) ?? every
      case "--actions": actions = Int(value) ?? actions
      case "--journal": journal = value
      default: continue
      }
    }
  }
}
