// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport

/// A Libre Pro memory read the slow and obvious way (Libre1Core/MemoryFormat, "Libre Pro").
enum SlowPro {
  static let regions = [0..<40, 40..<72, 72..<176]

  static func holds(_ bytes: [UInt8], _ region: Range<Int>) -> Bool {
    BitwiseCRC.checksum(bytes[region.lowerBound + 2..<region.upperBound]) == number(bytes, region.lowerBound)
  }

  static func number(_ bytes: [UInt8], _ offset: Int) -> UInt16 {
    UInt16(bytes[offset]) + 256 * UInt16(bytes[offset + 1])
  }

  /// Holds a decoded memory, none of whose blocks is missing, against its bytes.
  static func check(_ memory: ValidatedLibrePro, of bytes: [UInt8]) throws(OracleFailure) {
    let (age, index, count) = (Int(number(bytes, 74)), Int(number(bytes, 76)), Int(number(bytes, 78)))
    try require(memory.ageMinutes == age && memory.trendIndex == index && memory.historyCount == count, "Pro: numbers")
    try require(memory.integrity.header.isTrusted == holds(bytes, 0..<40), "Pro: header")
    try require(memory.integrity.footer.isTrusted == holds(bytes, 40..<72), "Pro: footer")
    var trend: [(minute: Int, offset: Int)] = []
    for minute in (max(1, age - 30)...max(1, age)).reversed() where minute <= age && trend.count < 16 {
      // The slot written last holds the newest minute, which is the age or up to fifteen less.
      if trend.isEmpty, minute % 16 != index { continue }
      trend.append((minute, 80 + 6 * ((minute - 1) % 16)))
    }
    let newest = trend.first?.minute ?? 0
    let shown = trend.filter { newest - $0.minute < 16 }
    try check(memory.trend, shown, bytes, "Pro: trend")
    let history = (0..<count).reversed().map { (minute: 15 * ($0 + 1), offset: 176 + 6 * $0) }
    try check(memory.history, history.filter { $0.offset + 6 <= bytes.count }, bytes, "Pro: history")
    try DecodedMemoryOracle.life(memory.trend, age: age)
    try DecodedMemoryOracle.life(memory.history, age: age)
    _ = (memory.problems, memory.text, memory.endOfLife, memory.failure)
  }

  private static func check(
    _ samples: [GlucoseSample], _ places: [(minute: Int, offset: Int)], _ bytes: [UInt8], _ name: String
  ) throws(OracleFailure) {
    try require(samples.map(\.minute.value) == places.map(\.minute), "\(name): minutes")
    for (sample, place) in zip(samples, places) {
      let counts = Int(bytes[place.offset]) + 256 * (Int(bytes[place.offset + 1]) % 64)
      try require(Int(sample.raw.glucose) == counts, "\(name): counts")
      try require(sample.raw.hasError == (bytes[place.offset + 3] & 2 == 2), "\(name): error flag")
      try require(sample.concentration == nil, "\(name): no concentration without i2")
    }
  }
}
