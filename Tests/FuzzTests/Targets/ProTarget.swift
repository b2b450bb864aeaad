// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport

/// A Libre Pro's memory with right checksums and, unless the input says otherwise, with indices that can be.
enum ProTarget {
  static let all = [FuzzTarget(name: "pro", seeds: { seeds }, longest: 2_048, testRuns: 100, run: run)]

  /// The first byte says how it is damaged; not all of the history, which is longest.
  private static let seeds = Scenario.all.filter { $0.name.contains("pro") }.map {
    [0] + Array($0.memory(seed: 1).prefix(1_200))
  }

  private static func run(_ input: [UInt8]) throws {
    guard input.count >= 177 else { return }
    var bytes = Array(input.dropFirst())
    if input[0] & 0x80 == 0 {
      bytes[76] &= 15
      bytes[77] = 0
      let possible = min(1_344, Int(SlowPro.number(bytes, 74)) / 15)
      let count = Int(SlowPro.number(bytes, 78)) % (possible + 1)
      (bytes[78], bytes[79]) = (UInt8(count % 256), UInt8(count / 256))
    }
    for region in SlowPro.regions { bytes.seal(region) }
    switch input[0] & 3 {
    case 1: bytes[1] ^= 1
    case 2: bytes[41] ^= 1
    case 3: bytes[100] ^= 1
    default: break
    }
    let isBodyGood = input[0] & 3 != 3
    let (age, index, count) = (SlowPro.number(bytes, 74), SlowPro.number(bytes, 76), SlowPro.number(bytes, 78))
    let isPossible = index < 16 && count <= min(1_344, age / 15)
    let checked = CheckedMemory(MemoryImage(bytes: bytes))
    for salvaging in [false, true] {
      do {
        let memory = try ValidatedLibrePro(checked, salvaging: salvaging)
        try require(isPossible && (isBodyGood || salvaging), "a Pro's memory that should be refused")
        try require(memory.isSalvaged == !isBodyGood, "salvaged: a body that does not hold")
        try SlowPro.check(memory, of: bytes)
      } catch let error as MemoryError {
        try require(!isPossible || !isBodyGood && !salvaging, "a Pro's memory is refused: \(error)")
      }
    }
  }
}
