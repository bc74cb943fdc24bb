/// What the user asked for and cannot be understood, or done, in one line.
package struct Misunderstanding: Error, Equatable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}
