/// A piece of work that an engine runs.
package protocol EngineWork: AnyObject, Sendable {
  /// Reports that the work was canceled.
  ///
  /// The engine calls this method once, outside its lock, unless the result of the work was known
  /// when the work was canceled.
  func reportCancellation(because reason: String?)
}
