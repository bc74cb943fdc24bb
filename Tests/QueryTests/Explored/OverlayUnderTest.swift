import FluxAsync

@testable import FluxQuery

/// A mistake in one event of an overlay, which the exploration must find.
enum OverlayMistake: CaseIterable, Sendable {
  /// A confirmed edit is not applied to the answer of a request that is running.
  case forgetsRunningRequest
  /// A confirmed edit is applied to the answer of a later request.
  case appliesToLaterRequest
  /// A mutation that succeeds removes its edits.
  case removesConfirmedEdits
  /// A mutation that fails confirms its edits.
  case confirmsRefusedEdits
  /// Confirmed edits are applied after the edits that are running.
  case confirmsAtTheEnd
  /// A result that was written does not replace manual edits.
  case keepsEditsByHand
  /// A written result receives the edits of a request.
  case editsWrittenResults
  /// A request that fails leaves its confirmed edits.
  case keepsEditsOfFailedRequests
  /// A removed entry loses the edits of running mutations.
  case forgetsMutationsOfRemovedEntry
  /// A removed entry keeps its value.
  case keepsValueOfRemovedEntry
}

/// The overlay of an entry as a cache keeps it, with at most one planted mistake.
struct OverlayUnderTest {
  private let mistake: OverlayMistake?
  private var overlay = QueryOverlay(confirmed: nil)
  /// The running edits and the manual edits, to which mistakes apply.
  private var edits: [(edit: QueryEdit, source: QueryOverlay.Source)] = []
  private var lastRequest: RequestID?

  init(_ mistake: OverlayMistake?) {
    self.mistake = mistake
  }

  var shown: (any Sendable)? { overlay.shown }
  var isEmpty: Bool { overlay.isEmpty }

  /// Creates the overlay again from the shown value.
  mutating func drop() {
    overlay = QueryOverlay(confirmed: overlay.shown)
  }

  mutating func began(_ edit: QueryEdit, by source: QueryOverlay.Source) {
    edits.append((edit, source))
    overlay.began(edit, by: source)
  }

  mutating func confirm(_ source: QueryOverlay.Source, during request: RequestID?) {
    defer { edits.removeAll { $0.source == source } }
    if let request { lastRequest = request }
    switch mistake {
    case .forgetsRunningRequest: overlay.confirm(source, during: nil)
    case .appliesToLaterRequest:
      overlay.confirm(source, during: request.map { RequestID(rawValue: $0.rawValue + 1) })
    case .removesConfirmedEdits: overlay.remove(source)
    case .confirmsAtTheEnd:
      let others = edits.filter { $0.source != source }
      for other in others { overlay.confirm(other.source, during: nil) }
      overlay.confirm(source, during: request)
    default: overlay.confirm(source, during: request)
    }
  }

  mutating func confirm(_ edit: QueryEdit, during request: RequestID?) {
    overlay.confirm(edit, during: mistake == .forgetsRunningRequest ? nil : request)
  }

  mutating func remove(_ source: QueryOverlay.Source) {
    if mistake == .confirmsRefusedEdits {
      overlay.confirm(source, during: nil)
    } else {
      overlay.remove(source)
    }
    edits.removeAll { $0.source == source }
  }

  mutating func answered(_ value: any Sendable, by request: RequestID) {
    overlay.answered(value, by: request)
    removeEditsByHand()
  }

  mutating func wrote(_ value: any Sendable) {
    if mistake == .editsWrittenResults, let lastRequest {
      overlay.answered(value, by: lastRequest)
    } else {
      overlay.wrote(value)
    }
    removeEditsByHand()
  }

  private mutating func removeEditsByHand() {
    for (edit, source) in edits where source.isByHand && mistake == .keepsEditsByHand {
      overlay.began(edit, by: source)
    }
    edits.removeAll { $0.source.isByHand }
  }

  mutating func requestEnded(_ request: RequestID) {
    if mistake != .keepsEditsOfFailedRequests { overlay.requestEnded(request) }
  }

  mutating func removeValue() {
    edits.removeAll { $0.source.isByHand }
    switch mistake {
    case .forgetsMutationsOfRemovedEntry: overlay = QueryOverlay(confirmed: nil)
    case .keepsValueOfRemovedEntry:
      var kept = QueryOverlay(confirmed: overlay.shown)
      for (edit, source) in edits { kept.began(edit, by: source) }
      overlay = kept
    default: overlay = overlay.withoutValue ?? QueryOverlay(confirmed: nil)
    }
  }
}

extension QueryOverlay.Source {
  fileprivate var isByHand: Bool {
    switch self {
    case .mutation: false
    case .manual: true
    }
  }
}
