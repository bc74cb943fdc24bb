/// A one-line error for input that cannot be parsed or executed.
package struct Misunderstanding: Error, Equatable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}
