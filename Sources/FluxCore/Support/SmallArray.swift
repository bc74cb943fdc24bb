/// A list that stores its first element inline, and allocates memory only for further elements.
struct SmallArray<Element: Sendable>: Sendable {
  private var first: Element?
  private var others: [Element] = []

  init() {}

  var isEmpty: Bool { first == nil }

  mutating func append(_ element: Element) {
    if first == nil { first = element } else { others.append(element) }
  }

  mutating func append(contentsOf list: SmallArray) {
    list.forEach { append($0) }
  }

  /// Calls a closure with each element, from first to last.
  func forEach(_ body: (Element) -> Void) {
    guard let first else { return }
    body(first)
    for element in others { body(element) }
  }
}
