// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport

/// What holds for any memory that decodes. `Libre1CoreTests` hold each field against memories that are written out.
enum DecodedMemoryOracle {
  /// Whether the memory can be decoded: its body holds as it is or with the minute before, or may be salvaged, and the
  /// ring indices are those of slots. No block is missing of `bytes`.
  static func isReadable(_ bytes: [UInt8], salvaging: Bool) -> Bool {
    bytes.count >= 344 && (salvaging || hasBody(bytes)) && bytes[26] < 16 && bytes[27] < 32
  }

  static func hasBody(_ bytes: [UInt8]) -> Bool {
    let memory = MemoryBuilder(bytes: bytes)
    var before = memory
    before.age -= 1
    return holds(.body, memory) || memory.age > 0 && holds(.body, before)
  }

  /// None of the three checksums holds.
  static func isUnreadable(_ bytes: [UInt8]) -> Bool {
    MemoryBuilder.Region.allCases.allSatisfy { !holds($0, MemoryBuilder(bytes: bytes)) }
  }

  /// By the definition of the checksum.
  private static func holds(_ region: MemoryBuilder.Region, _ memory: MemoryBuilder) -> Bool {
    Int(memory.checksum(of: region)) == memory.number(at: memory.layout.range(of: region).lowerBound)
  }

  static func check(_ decoded: DecodedMemory, isSalvaged: Bool) throws(OracleFailure) {
    let memory = decoded.memory
    try require(memory.isSalvaged == isSalvaged, "salvaged: a body that does not hold")
    for samples in [decoded.trend.samples, decoded.history.samples] { try life(samples, age: memory.ageMinutes) }
    if let current = decoded.current {
      try require(current.concentration.milligramsPerDecilitre.isFinite, "no concentration is NaN or infinite")
      try require(current.ratePerMinute?.isFinite ?? true, "no rate is NaN or infinite")
      let newest = decoded.trend.samples.map(\.minute.value).max() ?? 0
      try require(newest - current.minute.value <= 5, "a current value that is too old")
    }
    for problem in decoded.problems {
      guard case .historyUnlikeTrend(_, let stored, let expected) = problem else { continue }
      try require(stored != expected && (0..<16_384).contains(expected), "a mean of counts")
    }
    // It makes hundreds of texts: of one memory in 64 that is enough.
    if memory.ageMinutes & 63 == 0 { for entry in Datasheet.entries { _ = entry.value(in: memory.fram) } }
  }

  /// No sample outside the sensor's life, each older than the one before, and no number that is none.
  static func life(_ samples: [GlucoseSample], age: Int) throws(OracleFailure) {
    var last = Int.max
    for sample in samples {
      try require(sample.minute.value >= 1 && sample.minute.value <= age, "minute \(sample.minute) of \(age)")
      try require(sample.minute.value < last, "the newest comes first")
      last = sample.minute.value
      try require(sample.concentration?.milligramsPerDecilitre.isFinite ?? true, "no concentration is NaN or infinite")
      try require(sample.temperatureCelsius?.isFinite ?? true, "no temperature is NaN or infinite")
      try require(sample.concentration == nil || !sample.raw.hasError, "a flagged record has no concentration")
    }
  }
}

extension [UInt8] {
  /// Makes the checksums of all regions right.
  mutating func seal(_ layout: MemoryBuilder.Layout) {
    for region in MemoryBuilder.Region.allCases { seal(layout.range(of: region)) }
  }
}
