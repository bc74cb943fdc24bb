package import Foundation
import TestSupport

/// A reader of untrusted input, with the promise that it has to keep for any input.
package struct FuzzTarget: Sendable {
  /// The result of an input.
  package enum Verdict: Hashable, Sendable {
    case accepted
    /// The reason of a refusal: the code of the documented error.
    case refused(String)
  }

  package let name: String
  private let examples: [Data]
  private let maker: InputMaker
  private let check: @Sendable (_ input: Data, _ maker: inout InputMaker) async throws -> Verdict

  /// - Parameters:
  ///   - examples: Examples from which input is made, and which are checked unchanged.
  ///   - files: More examples, which are not text.
  ///   - words: Names and values with a meaning in the format.
  ///   - check: Passes an input to the reader; throws a ``BrokenPromise`` if the reader behaves
  ///     wrongly. It draws further random values from the maker.
  init(
    _ name: String, examples: [String], files: [Data] = [], words: [String] = [],
    check: @escaping @Sendable (_ input: Data, _ maker: inout InputMaker) async throws -> Verdict
  ) {
    self.name = name
    self.examples = examples.map { Data($0.utf8) } + files
    maker = InputMaker(examples: self.examples, words: words, seed: 0)
    self.check = check
  }

  /// Checks one input from elsewhere.
  ///
  /// - Parameter seed: The seed of further random values; by default it is derived from the
  ///   input's bytes.
  @discardableResult
  package func check(_ input: Data, seed: UInt64? = nil) async throws -> Verdict {
    let seed = seed ?? input.reduce(0) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    var maker = maker.seeded(seed)
    do {
      return try await check(input, &maker)
    } catch {
      throw FuzzFailure(target: name, seed: seed, number: 0, input: input, reason: "\(error)")
    }
  }

  /// Makes an input from the examples.
  package func input(seed: UInt64) -> Data {
    var maker = maker.seeded(seed)
    return maker.next()
  }

  /// Checks the unchanged examples, and then inputs made from them.
  ///
  /// - Parameters:
  ///   - seed: The seed of the inputs; the seed of each input is this seed plus its number.
  ///   - first: The number of the first input, to continue after another run.
  package func run(_ count: Int, seed: UInt64, from first: Int = 0) async throws -> [Verdict: Int] {
    var verdicts: [Verdict: Int] = [:]
    for number in first..<(first + count) {
      var maker = maker.seeded(seed &+ UInt64(number))
      let input = number < examples.count ? examples[number] : maker.next()
      do {
        verdicts[try await check(input, &maker), default: 0] += 1
      } catch {
        throw FuzzFailure(target: name, seed: seed, number: number, input: input, reason: "\(error)")
      }
    }
    return verdicts
  }
}

/// The text of a promise that an input has broken.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Throws unless a condition holds.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) throws {
  if !holds { throw BrokenPromise(what()) }
}

/// An input that revealed a fault, and the values to make it again.
package struct FuzzFailure: Error, CustomStringConvertible {
  package let target: String
  package let seed: UInt64
  package let number: Int
  package let input: Data
  package let reason: String

  package var description: String {
    """
    \(target), seed \(seed), input \(number): \(reason)
    \(String(decoding: input, as: UTF8.self).debugDescription)
    """
  }
}
