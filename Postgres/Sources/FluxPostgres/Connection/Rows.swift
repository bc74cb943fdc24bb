import CLibPQ
import Foundation

/// The rows that a statement returned, in the binary format of PostgreSQL.
///
/// One thread at a time uses the object.
final class Rows {
  private let result: OpaquePointer

  /// Creates an object that frees the result of libpq.
  init(_ result: OpaquePointer) {
    self.result = result
  }

  deinit { PQclear(result) }

  var count: Int { Int(PQntuples(result)) }

  /// Returns an integer of 64 bits, or `nil` if the value is null.
  func integer(_ row: Int, _ column: Int32) throws(CallFailure) -> Int64? {
    guard let bytes = bytes(row, column) else { return nil }
    guard bytes.count == 8 else { throw unexpected(column) }
    return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
  }

  /// Returns a Boolean value, or `nil` if the value is null.
  func boolean(_ row: Int, _ column: Int32) throws(CallFailure) -> Bool? {
    guard let bytes = bytes(row, column) else { return nil }
    guard bytes.count == 1 else { throw unexpected(column) }
    return bytes[0] != 0
  }

  /// Returns a UUID, or `nil` if the value is null.
  func uuid(_ row: Int, _ column: Int32) throws(CallFailure) -> UUID? {
    guard let bytes = bytes(row, column) else { return nil }
    guard bytes.count == 16 else { throw unexpected(column) }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  /// Returns the bytes of a value, or `nil` if the value is null.
  func data(_ row: Int, _ column: Int32) -> Data? {
    bytes(row, column).map { Data($0) }
  }

  /// Returns a position that the server stores as an integer, or `nil` if the value is null.
  func position(_ row: Int, _ column: Int32) throws(CallFailure) -> UInt64? {
    guard let number = try integer(row, column) else { return nil }
    guard number >= 0 else { throw unexpected(column) }
    return UInt64(number)
  }

  private func bytes(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer? {
    guard row < count, column < PQnfields(result) else { return nil }
    let row = Int32(row)
    guard PQgetisnull(result, row, column) == 0 else { return nil }
    return UnsafeRawBufferPointer(
      start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
  }

  private func unexpected(_ column: Int32) -> CallFailure {
    .refused("the server has sent an unexpected value in column \(column)")
  }
}
