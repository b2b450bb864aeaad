// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import TestSupport

/// Changes inputs as a fuzzer does, the same way at each run of the tests.
struct SeededMutator {
  private var random: SplitMix64
  private let seeds: [[UInt8]]
  private let words: [[UInt8]]
  private let longest: Int

  init(_ target: FuzzTarget, seeds: [[UInt8]], seed: UInt64) {
    random = SplitMix64(seed: seed)
    self.seeds = seeds
    words = target.words.map { Array($0.utf8) }
    longest = target.longest
  }

  /// A seed with one to six changes.
  mutating func next() -> [UInt8] {
    var bytes = seeds.isEmpty ? [] : seeds[random.number(0...seeds.count - 1)]
    for _ in 0..<random.number(1...6) { change(&bytes) }
    return Array(bytes.prefix(longest))
  }

  private static let borders: [UInt8] = [0x00, 0x01, 0x0F, 0x10, 0x1F, 0x20, 0x7F, 0x80, 0xFE, 0xFF]

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = random.number(0...bytes.count)
    let rest = bytes.count - place
    switch random.number(0...9) {
    case 0...1: if rest > 0 { bytes[place] ^= 1 << UInt8(random.number(0...7)) }
    case 2: if rest > 0 { bytes[place] = Self.borders[random.number(0...Self.borders.count - 1)] }
    case 3:
      bytes.replaceSubrange(place..<place + min(rest, 2), with: random.number(0...1) == 0 ? [0xFF, 0xFF] : [0, 0])
    case 4: bytes.insert(contentsOf: random.bytes(random.number(1...8)), at: place)
    case 5: bytes.removeSubrange(place..<place + min(rest, random.number(1...32)))
    case 6: bytes.removeSubrange(place...)
    case 7: if !words.isEmpty { bytes.insert(contentsOf: words[random.number(0...words.count - 1)], at: place) }
    case 8: bytes.insert(contentsOf: bytes[place..<place + min(rest, random.number(1...64))], at: place)
    default: splice(&bytes, at: place)
    }
  }

  /// Goes on with a part of another seed.
  private mutating func splice(_ bytes: inout [UInt8], at place: Int) {
    guard !seeds.isEmpty else { return }
    let other = seeds[random.number(0...seeds.count - 1)]
    let start = random.number(0...other.count)
    let part = other[start..<min(other.count, start + random.number(0...256))]
    bytes.replaceSubrange(place..<min(bytes.count, place + part.count), with: part)
  }
}
