package import Foundation

/// A program of this package: it stands beside the tests that run.
package func builtProgram(named name: String) -> URL? {
  let places = [
    Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
  ]
  return places.map { $0.appendingPathComponent(name) }.first {
    FileManager.default.isExecutableFile(atPath: $0.path)
  }
}
