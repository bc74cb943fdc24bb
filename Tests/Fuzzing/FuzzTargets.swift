extension FuzzTarget {
  /// All readers of untrusted input.
  package static let all = [
    history, savedFiles, migrations, orderedState, films, todos, replicas, pulls, addresses,
    segments, journals,
  ]
}
