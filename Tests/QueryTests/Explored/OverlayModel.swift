import FluxAsync

@testable import FluxQuery

/// An event of one entry with edits.
enum OverlayEvent: Hashable, CaseIterable {
  // The first mutation appends a letter, the second replaces the result, and the third appends two
  // letters with two edits.
  case begin1, begin2, begin3
  case succeed1, succeed2, succeed3
  case fail1, fail2, fail3
  /// A mutation without optimistic edits has an answer that contains an edit.
  case answerWithEdit
  case editByHand, undo
  case requestBegins, answer, requestFails
  case write, remove
}

/// A query whose result is a text.
private struct Text: Query {
  func fetch(in context: RequestContext<AppState>) async throws -> String { "" }
}

/// An entry with edits, and the requests and mutations that are running.
///
/// The model calls the overlay as a cache does. In particular, it drops an overlay that is empty.
struct OverlayModel {
  private var overlay: OverlayUnderTest
  private var reference = NaiveOverlay()
  /// The numbers of the mutations that are running.
  private var running: [Int: UInt64] = [:]
  private var isEditedByHand = false
  /// The number of the request that is running, or `nil`.
  private var request: UInt64?
  private var lastNumber: UInt64 = 0

  init(_ mistake: OverlayMistake?) {
    overlay = OverlayUnderTest(mistake)
  }

  /// A description of the difference between the overlay and the reference, or `nil` if there is
  /// none.
  var difference: String? {
    let (shown, expected) = (overlay.shown as? String, reference.shown)
    if shown != expected { return "shows \(shown ?? "nothing"), not \(expected ?? "nothing")" }
    if overlay.isEmpty == reference.isNeeded {
      return reference.isNeeded ? "forgets edits" : "keeps edits that have no effect"
    }
    return nil
  }

  /// Returns `false` if the event cannot happen now.
  mutating func happen(_ event: OverlayEvent) -> Bool {
    let isPossible = perform(event)
    // The cache creates the overlay again from the shown value when an edit begins.
    if isPossible, overlay.isEmpty { overlay.drop() }
    return isPossible
  }

  private mutating func perform(_ event: OverlayEvent) -> Bool {
    switch event {
    case .begin1: begin(1, appending: ["a"])
    case .begin2: begin(2, appending: ["=b"])
    case .begin3: begin(3, appending: ["c", "d"])
    case .succeed1: end(1, succeeds: true)
    case .succeed2: end(2, succeeds: true)
    case .succeed3: end(3, succeeds: true)
    case .fail1: end(1, succeeds: false)
    case .fail2: end(2, succeeds: false)
    case .fail3: end(3, succeeds: false)
    case .answerWithEdit: answerWithEdit()
    case .editByHand: editByHand()
    case .undo: undo()
    case .requestBegins: beginRequest()
    case .answer, .requestFails: endRequest(hasAnswer: event == .answer)
    case .write, .remove: replace(byWriting: event == .write)
    }
  }

  private mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Mutations

  private mutating func begin(_ mutation: Int, appending letters: [String]) -> Bool {
    guard running[mutation] == nil else { return false }
    let number = nextNumber()
    running[mutation] = number
    for letter in letters {
      overlay.began(.text(letter), by: .mutation(RequestID(rawValue: number)))
      reference.began(letter, by: number)
    }
    return true
  }

  private mutating func end(_ mutation: Int, succeeds: Bool) -> Bool {
    guard let number = running.removeValue(forKey: mutation) else { return false }
    let source = QueryOverlay.Source.mutation(RequestID(rawValue: number))
    if succeeds { overlay.confirm(source, during: requestID) } else { overlay.remove(source) }
    reference.ended(number, succeeds: succeeds, during: request)
    return true
  }

  private mutating func answerWithEdit() -> Bool {
    overlay.confirm(.text("e"), during: requestID)
    reference.confirmed("e", during: request)
    return true
  }

  // MARK: Manual edits

  private mutating func editByHand() -> Bool {
    guard !isEditedByHand else { return false }
    isEditedByHand = true
    overlay.began(.text("h"), by: .manual(EditID(number: 1)))
    reference.began("h", by: nil)
    return true
  }

  private mutating func undo() -> Bool {
    guard isEditedByHand else { return false }
    isEditedByHand = false
    overlay.remove(.manual(EditID(number: 1)))
    reference.ended(nil, succeeds: false, during: nil)
    return true
  }

  // MARK: Requests

  private var requestID: RequestID? { request.map { RequestID(rawValue: $0) } }

  private mutating func beginRequest() -> Bool {
    guard request == nil else { return false }
    request = nextNumber()
    return true
  }

  private mutating func endRequest(hasAnswer: Bool) -> Bool {
    guard let number = request else { return false }
    request = nil
    if hasAnswer {
      let result = "\(nextNumber())"
      overlay.answered(result, by: RequestID(rawValue: number))
      reference.replaced(by: result, from: number)
    } else {
      overlay.requestEnded(RequestID(rawValue: number))
      reference.failed(number)
    }
    return true
  }

  private mutating func replace(byWriting isWritten: Bool) -> Bool {
    request = nil
    if isWritten {
      let result = "\(nextNumber())"
      overlay.wrote(result)
      reference.replaced(by: result, from: nil)
    } else {
      overlay.removeValue()
      reference.removed()
    }
    return true
  }
}

extension QueryEdit {
  /// An edit that appends a letter to the text, or replaces the text by the letter after `=`.
  ///
  /// The text shows the number and the order of the applied edits.
  fileprivate static func text(_ letter: String) -> QueryEdit {
    letter.hasPrefix("=") ? .write(String(letter.dropFirst()), to: Text()) : .edit(Text()) { $0 += letter }
  }
}

/// A list of everything that has happened to an entry, from which the shown text is computed.
struct NaiveOverlay {
  private struct Edit {
    let letter: String
    /// The number of the mutation, or `nil` for a manual edit.
    let source: UInt64?
  }

  /// The last result without an edit.
  private var result: String?
  /// The letters that were confirmed after the result, in the order of their confirmation.
  private var confirmed: [(letter: String, request: UInt64?)] = []
  private var running: [Edit] = []
  private var requestsThatEnded: Set<UInt64> = []

  var shown: String? {
    var text = result
    for letter in confirmed.map(\.letter) + running.map(\.letter) {
      if letter.hasPrefix("=") { text = String(letter.dropFirst()) } else if text != nil { text? += letter }
    }
    return text
  }

  /// A Boolean value that indicates whether the next shown texts depend on more than the present
  /// shown text.
  var isNeeded: Bool {
    !running.isEmpty
      || confirmed.contains { $0.request.map { !requestsThatEnded.contains($0) } ?? false }
  }

  mutating func began(_ letter: String, by source: UInt64?) {
    running.append(Edit(letter: letter, source: source))
  }

  mutating func ended(_ source: UInt64?, succeeds: Bool, during request: UInt64?) {
    for edit in running where edit.source == source && succeeds { confirmed(edit.letter, during: request) }
    running.removeAll { $0.source == source }
  }

  mutating func confirmed(_ letter: String, during request: UInt64?) {
    confirmed.append((letter, request))
  }

  mutating func replaced(by text: String, from request: UInt64?) {
    result = text
    confirmed = request == nil ? [] : confirmed.filter { $0.request == request }.map { ($0.letter, nil) }
    running.removeAll { $0.source == nil }
  }

  mutating func failed(_ request: UInt64) {
    requestsThatEnded.insert(request)
  }

  mutating func removed() {
    (result, confirmed) = (nil, [])
    running.removeAll { $0.source == nil }
  }
}
