package import Testing

/// Expects an ended process to have written all parts of a message of this package, which begins
/// with the package's name.
package func expect(
  _ result: ExitTest.Result?, says parts: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
  let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  for part in ["Flux: "] + parts {
    #expect(said.contains(part), "said: \(said)", sourceLocation: sourceLocation)
  }
}
