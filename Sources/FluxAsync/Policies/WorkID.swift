/// What a piece of work is known by: by default its action's type, else what a policy says.
struct WorkID: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) {
    self.value = value
  }

  static func == (first: WorkID, second: WorkID) -> Bool {
    AnyHashable(first.value) == AnyHashable(second.value)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(value))
  }
}
