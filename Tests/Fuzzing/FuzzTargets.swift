extension FuzzTarget {
  /// All that reads what may be bad.
  package static let all = [history, savedFiles, migrations, orderedState, films, todos]
}
