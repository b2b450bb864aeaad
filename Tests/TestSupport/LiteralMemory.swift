// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A sealed memory of `MemoryBuilder`, filled with the sample of Libre1Core/Calibration, "Worked examples", and what is
/// known of its sensor.
package struct LiteralMemory {
  /// The sample of Libre1Core/Calibration, "Worked examples": 1319 counts at 32.03 °C are 108.3719 mg/dL with i2 803,
  /// i3 18, i4 6931, i6 6536.
  package static let contractRecord = record(glucose: 1_319, temperature: 6_552, adjustment: -8)
  /// The UID of LibreDocuments/Contract, "Ids", whose serial number is 0M00009DHCR.
  package static let uid = SensorUID(bits: 0xE007_A000_0025_905E)!
  package static let patchInfo = PatchInfo([0xDF, 0, 0, 1, 0, 0])!
  /// 2024-05-02T10:15:00Z.
  package static let readAt = Instant(secondsSince1970: 1_714_644_900)

  private var memory: MemoryBuilder

  package var bytes: [UInt8] {
    get { memory.bytes }
    set { memory.bytes = newValue }
  }

  /// An active sensor with every slot of both rings that its age allows filled with the sample of
  /// Libre1Core/Calibration, "Worked examples".
  package init(state: UInt8 = 3, age: Int = 1_000, maxLife: Int = 20_630) {
    memory = MemoryBuilder(
      state: state, age: age, trendIndex: age % 16, historyIndex: age / 15 % 32, maxLife: maxLife)
    for slot in 0..<min(16, age) { memory.setTrend(slot: slot, Self.contractRecord) }
    for slot in 0..<min(32, age / 15) { memory.setHistory(slot: slot, Self.contractRecord) }
    seal()
  }

  package static func record(
    glucose: Int, temperature: Int, adjustment: Int = 0, hasError: Bool = false, errorField: Int = 0x320
  ) -> [UInt8] {
    MemoryBuilder.record(
      glucose: glucose, temperature: temperature, adjustment: adjustment, errorField: errorField, hasError: hasError)
  }

  package mutating func set(_ part: [UInt8], at offset: Int) { memory.set(part, at: offset) }

  package mutating func setNumber(_ value: Int, at offset: Int) { memory.setNumber(value, at: offset) }

  /// Writes the record of a minute, and the checksums.
  package mutating func setTrend(minute: Int, _ record: [UInt8]) {
    memory.setTrend(minute: minute, record)
    seal()
  }

  /// Writes the record of a minute, and the checksums.
  package mutating func setHistory(minute: Int, _ record: [UInt8]) {
    memory.setHistory(minute: minute, record)
    seal()
  }

  /// Changes bytes and makes the checksums for them.
  package func edited(_ change: (inout LiteralMemory) -> Void) -> [UInt8] {
    var copy = self
    change(&copy)
    copy.seal()
    return copy.bytes
  }

  /// Changes bytes and leaves the checksums as they were.
  package func damaged(_ change: (inout LiteralMemory) -> Void) -> [UInt8] {
    var copy = self
    change(&copy)
    return copy.bytes
  }

  package mutating func seal() { memory.seal() }

  /// A Libre Pro memory whose fields and checksums are valid and whose other bytes mean nothing, with zeros up to
  /// `count`.
  package static func pro(count: Int = 176) -> [UInt8] {
    let bytes = (0..<count).map { $0 < 176 ? UInt8(truncatingIfNeeded: $0 &* 29 &+ 3) : 0 }
    var memory = MemoryBuilder(bytes: bytes, layout: .pro)
    memory.state = 3
    memory.age = 15_000
    memory.maxLife = 20_160
    memory.trendIndex = 8
    memory.historyIndex = 999
    return memory.sealed().bytes
  }

  /// Bytes without a valid checksum.
  package static let noise: [UInt8] = (0..<344).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7 &+ 13 &* $0 &+ 1) }
}
