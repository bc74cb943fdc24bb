import Dispatch
import Foundation
import Fuzzing

// Passes input to one of the readers. libFuzzer makes the input, and observes which code the input
// reaches: see Benchmarks/fuzz. libFuzzer contains the program's entry point, and calls these
// functions.

/// The reader that an environment variable names.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["READER"] ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fatalError("READER is to be one of: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }
  return target
}()

/// Checks one input; a broken promise stops the program, so that the input is kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func checkInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Data(UnsafeBufferPointer(start: bytes, count: count))
  // The thread of libFuzzer, which waits for no other input.
  let isChecked = DispatchSemaphore(value: 0)
  Task {
    do {
      try await target.check(input)
    } catch {
      fatalError("\(error)")
    }
    isChecked.signal()
  }
  isChecked.wait()
  return 0
}

/// Makes an input from another one: half of the inputs use knowledge of the format, and the others
/// libFuzzer's own changes.
@_cdecl("LLVMFuzzerCustomMutator")
public func makeInput(
  _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int, _ seed: CUnsignedInt
) -> Int {
  guard seed.isMultiple(of: 2) else { return mutateBytes(bytes, count, room) }
  let input = target.input(seed: UInt64(seed)).prefix(room)
  for (place, byte) in input.enumerated() { bytes[place] = byte }
  return input.count
}

@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int) -> Int
