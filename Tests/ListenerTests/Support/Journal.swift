import TestSupport

/// The events in order, from any thread, for which a test can wait.
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

  /// Waits until the journal contains an entry the given number of times.
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

/// A gate at which tasks wait until a test opens it, even if they are canceled.
final class Door: Sendable {
  private let passing = Journal()

  func open() {
    passing.note("open")
  }

  func pass() async {
    await passing.has("open")
  }
}
