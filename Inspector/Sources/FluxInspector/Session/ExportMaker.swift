import Foundation

/// Makes the exports of all pages on a separate thread, so that a page's session continues while
/// its export is made.
///
/// ``ExportQueue`` determines the order of the exports and how many are made at the same time.
actor ExportMaker {
  private let executor = ThreadExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Returns the answer to a request for an export, or a refusal of the request, in encoded form.
  ///
  /// - Parameter store: The store to export; `nil` if it has ended.
  func answer(_ request: PageRequest, of store: (any InspectedStore)?) throws -> Data {
    try message(request, of: store).payload()
  }

  private func message(_ request: PageRequest, of store: (any InspectedStore)?) -> PageMessage {
    do throws(Refusal) {
      guard let store else { throw .gone }
      return .exported(request: request.number, store: request.store, document: try store.export())
    } catch {
      return .refused(request: request.number, error)
    }
  }
}
