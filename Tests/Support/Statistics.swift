import Foundation

/// Prints what a test counted, if the environment has the variable `TEST_STATISTICS`.
///
/// Without the variable, a test that passes prints nothing.
package func printStatistics(_ text: String) {
  if ProcessInfo.processInfo.environment["TEST_STATISTICS"] != nil { print(text) }
}
