package import Foundation
import TestSupport

/// Something that reads what may be bad, with the promise that it has to keep for any input.
package struct FuzzTarget: Sendable {
  /// What became of an input.
  package enum Verdict: Hashable, Sendable {
    case accepted
    /// Why it was refused: the code of the documented error.
    case refused(String)
  }

  package let name: String
  private let examples: [Data]
  private let maker: InputMaker
  private let check: @Sendable (_ input: Data, _ maker: inout InputMaker) async throws -> Verdict

  /// - Parameters:
  ///   - examples: What input is made of, and what is checked as it is.
  ///   - words: Names and values that mean something in the format.
  ///   - check: Gives an input to what reads it; throws a ``BrokenPromise`` if that does not do what it should.
  ///     What more it needs it draws from the maker.
  init(
    _ name: String, examples: [String], words: [String] = [],
    check: @escaping @Sendable (_ input: Data, _ maker: inout InputMaker) async throws -> Verdict
  ) {
    self.name = name
    self.examples = examples.map { Data($0.utf8) }
    maker = InputMaker(examples: self.examples, words: words, seed: 0)
    self.check = check
  }

  /// Checks one input that was made elsewhere.
  ///
  /// - Parameter seed: What more is needed is drawn from it; from the input's own bytes unless said otherwise.
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

  /// An input made of the examples.
  package func input(seed: UInt64) -> Data {
    var maker = maker.seeded(seed)
    return maker.next()
  }

  /// Checks the examples as they are, and then inputs made of them.
  ///
  /// - Parameters:
  ///   - seed: What inputs are made from; each has its own, which is this one plus its number.
  ///   - first: The number of the first input, to go on where another run has ended.
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

/// What a promise says, when an input has shown that it is not kept.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Fails unless something holds.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) throws {
  if !holds { throw BrokenPromise(what()) }
}

/// An input that has shown a fault, and how to make it again.
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
