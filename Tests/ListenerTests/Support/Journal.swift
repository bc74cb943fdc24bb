import TestSupport

/// What happened, in order, from any thread; to be waited for.
final class Journal: Sendable {
  private struct Contents: Sendable {
    var entries: [String] = []
    var waiting: [(entry: String, count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func count(of entry: String) -> Int { entries.count { $0 == entry } }
  }

  private let contents = Shared(Contents())

  var entries: [String] { contents.value.entries }

  func count(of entry: String) -> Int { contents.value.count(of: entry) }

  func note(_ entry: String) {
    let ready = contents.change { contents in
      contents.entries.append(entry)
      let known = contents
      contents.waiting.removeAll { known.count(of: $0.entry) >= $0.count }
      return known.waiting.filter { known.count(of: $0.entry) >= $0.count }
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Waits until an entry stands there so many times.
  func has(_ entry: String, times count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = contents.change { contents in
        if contents.count(of: entry) >= count { return true }
        contents.waiting.append((entry, count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

/// A door that tasks wait at until somebody opens it, whether or not they are cancelled.
final class Door: Sendable {
  private let passing = Journal()

  func open() {
    passing.note("open")
  }

  func pass() async {
    await passing.has("open")
  }
}
