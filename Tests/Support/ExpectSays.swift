package import Testing

/// Expects a process that ended to have said all the parts of a message of this package, which begins with its name.
package func expect(
  _ result: ExitTest.Result?, says parts: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
  let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  for part in ["Flux: "] + parts {
    #expect(said.contains(part), "said: \(said)", sourceLocation: sourceLocation)
  }
}
