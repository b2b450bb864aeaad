// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A situation that readers of sensors have to handle, as a memory made from a seed.
///
/// The same seed gives the same bytes on every machine. All scenarios with the same seed and product are the same
/// sensor, at different ages and with different problems.
package struct Scenario: Sendable {
  /// The required result of decoding.
  package enum Expectation: Hashable, Sendable {
    case decodes
    case rejected(code: String)
  }

  /// Lower-case words with dashes: `active-trend-lag`.
  package let name: String
  package let summary: String
  package let expectation: Expectation
  private let product: SimulatedSensor.Product
  private let make: @Sendable (inout SimulatedSensor) -> MemoryImage

  init(
    _ name: String, _ summary: String, _ expectation: Expectation = .decodes,
    of product: SimulatedSensor.Product = .libre1, make: @escaping @Sendable (inout SimulatedSensor) -> MemoryImage
  ) {
    self.name = name
    self.summary = summary
    self.expectation = expectation
    self.product = product
    self.make = make
  }

  /// The memory with an invented UID (`E007A0FF…`, `E007A4FF…` for a Libre 2 or Pro), patch info and read time.
  package func image(seed: UInt64) -> MemoryImage {
    var sensor = SimulatedSensor(seed: seed, product: product)
    return make(&sensor)
  }

  /// The memory alone: 344 bytes; 176 or more for a Libre Pro, 1952 for a full memory.
  package func memory(seed: UInt64) -> [UInt8] { image(seed: seed).bytes }
  package static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

  package static let all: [Scenario] = life + ages + oddities + damage + products
}

extension Scenario {
  // MARK: The life of a sensor

  private static let life = [
    Scenario("not-activated", "A new sensor, never started: no samples.") { $0.image(atAge: 0) },
    Scenario("warming-up", "Half an hour after the start: the samples are not reliable yet.") {
      $0.image(atAge: $0.choice(in: 20...40, 1))
    },
    Scenario("first-hour", "55 minutes after the start, already in the state active.") {
      edited($0, atAge: 55) { $0.state = 3 }
    },
    Scenario("active", "A sensor in the middle of its life: full rings, good values.") {
      $0.image(atAge: $0.midLife, trendLag: $0.choice(in: 0...1, 2))
    },
    Scenario("active-trend-lag", "The newest trend record is one minute behind the age, as on two scans of three.") {
      $0.image(atAge: $0.midLife, trendLag: 1)
    },
    Scenario("active-trend-now", "The newest trend record is of the same minute as the age.") {
      $0.image(atAge: $0.midLife, trendLag: 0)
    },
    Scenario("history-lag", "The history is one record behind its age: only the ring index shows it.") {
      $0.image(atAge: $0.midLife, historyLag: 1)
    },
    Scenario("expired", "After the maximum life: the trend continues, the history has stopped.") {
      $0.image(atAge: $0.maxLifeMinutes + $0.choice(in: 60...700, 3))
    },
    Scenario("shutdown", "Ended normally: the age has stopped twelve hours after the maximum life.") {
      $0.image(atAge: $0.finalAgeMinutes + $0.choice(in: 100...3_000, 4))
    },
    Scenario("failure", "Ended early by a failure; the log has the reason.") { sensor in
      let age = sensor.midLife
      let code = [0x0A, 0x0D, 0x13, 0x28][sensor.choice(in: 0...3, 5)] as UInt8
      return edited(sensor, atAge: age) { writer in
        writer.state = 6
        writer.failure = SensorFailure(code: code, minute: SensorMinute(age))
      }
    },
    Scenario("restarted", "Reset and started again: active, but with a log entry.") { sensor in
      let minute = SensorMinute(sensor.choice(in: 5...50, 6))
      return edited(sensor, atAge: sensor.midLife) { writer in
        writer.activity = 1
        writer.endOfLife = [EndOfLifeEntry(leftState: .warmingUp, minute: minute)]
      }
    },
  ]

  // MARK: Ages at which a ring becomes full

  private static let ages = [
    Scenario("age-15", "Fifteen minutes: the trend ring lacks one record.") { $0.image(atAge: 15, trendLag: 0) },
    Scenario("age-16", "Sixteen minutes: the trend ring is full and its index is 0 again.") {
      $0.image(atAge: 16, trendLag: 0)
    },
    Scenario("age-480", "Eight hours: the newest history record is still that of minute 465.") {
      $0.image(atAge: 480, trendLag: 0)
    },
    Scenario("age-495", "Eight and a quarter hours: the history ring is full and its index is 0 again.") {
      $0.image(atAge: 495, trendLag: 0)
    },
    Scenario("young", "A few hours old: the older part of the history was never written.") {
      $0.image(atAge: $0.choice(in: 120...400, 7))
    },
  ]

  // MARK: Unusual, but undamaged

  private static let oddities = [
    Scenario("rf-error", "The radio field of a reader disturbed measurements: error records in both rings.") { sensor in
      let age = sensor.midLife
      let quarter = (age - 60) / 15 * 15
      // The whole window of one history record, part of the next one's, and three minutes of the trend.
      sensor.disturbedMinutes = [quarter - 2...quarter + 2, quarter + 14...quarter + 15, age - 5...age - 3]
      return sensor.image(atAge: age)
    },
    Scenario("gaps", "Some slots are empty although their minute has passed.") { sensor in
      let trendSlot = sensor.choice(in: 0...15, 8)
      let historySlots = [9, 10, 11, 12].map { sensor.choice(in: 0...31, $0) }
      return edited(sensor, atAge: sensor.midLife) { writer in
        writer.trend[trendSlot] = .neverWritten
        for slot in historySlots { writer.history[slot] = .neverWritten }
      }
    },
    Scenario("low-signal", "Taken off ten hours ago: almost no signal.") { sensor in
      sensor.takenOffAtMinute = sensor.midLife - 600
      return sensor.image(atAge: sensor.midLife)
    },
    Scenario("cold", "At 17 °C: the values are not reliable.") { sensor in
      sensor.celsius = 17
      return sensor.image(atAge: sensor.midLife)
    },
    Scenario("freezing", "Below 0 °C, where the formula is not valid: no values.") { sensor in
      let real = sensor.calibration
      // With the i6 of real sensors the thermistor's field is full at 12 to 15 °C, so this i6 is unlike any real one.
      sensor.calibration = CalibrationParameters(
        i1: real.i1, i2: real.i2, i3: real.i3, i4: real.i4, i5: real.i5, i6: 2_600)
      sensor.celsius = -2
      return sensor.image(atAge: sensor.midLife)
    },
    Scenario("i2-zero", "A calibration with i2 = 0, which has no row in the table: no values.") {
      edited($0, atAge: $0.midLife) { $0.i2 = 0 }
    },
    Scenario("i4-equals-i3", "A calibration that would divide by zero: no values.") {
      edited($0, atAge: $0.midLife) { $0.i4 = $0.i3 }
    },
    Scenario("full-memory", "All 1952 bytes that NFC reaches, with an invented code section.") {
      $0.image(of: $0.writer(atAge: $0.midLife).fullMemory(), atAge: $0.midLife)
    },
  ]

  // MARK: Damage

  private static let damage = [
    Scenario("torn", "The minute changed during the read: the checksum fits the age of the minute before.") { sensor in
      let age = sensor.midLife
      var bytes = sensor.memory(atAge: age - 1, trendLag: sensor.choice(in: 0...1, 2))
      bytes.storeAge(age)
      return sensor.image(of: bytes, atAge: age)
    },
    Scenario("bad-header", "One wrong bit in the header: state and calibration are unknown.") {
      damaged($0) { $0[MemoryMap.state] ^= 0x40 }
    },
    Scenario("bad-footer", "One wrong bit in the footer: calibration, region and maximum life are unknown.") {
      damaged($0) { $0[MemoryMap.region] ^= 0x10 }
    },
    Scenario("block-42-missing", "The last block was not read and is zero: the footer's checksum is wrong.") {
      damaged($0) { bytes in
        for index in MemoryMap.footer.end - MemoryMap.blockSize..<MemoryMap.footer.end { bytes[index] = 0 }
      }
    },
    Scenario("bad-body", "One history record was corrupted during the read.", .rejected(code: "crc_mismatch")) {
      sensor in
      let start = MemoryMap.history.offset + MemoryMap.Record.byteCount * sensor.choice(in: 0...31, 13)
      return damaged(sensor) { bytes in
        // A burst of sixteen bits, which a 16-bit checksum always detects, and which a change of the minute cannot
        // explain.
        bytes[start] ^= 0xA5
        bytes[start + 1] ^= 0x5B
      }
    },
    Scenario(
      "ring-index-16", "A trend index outside the ring, with a correct checksum.",
      .rejected(code: "ring_index_out_of_range")
    ) { edited($0, atAge: $0.midLife) { $0.trendIndex = 16 } },
    Scenario(
      "history-index-32", "A history index outside the ring, with a correct checksum.",
      .rejected(code: "ring_index_out_of_range")
    ) { edited($0, atAge: $0.midLife) { $0.historyIndex = 32 } },
    Scenario("blank-zero", "Only zeros: not a memory.", .rejected(code: "blank_memory")) { filled($0, 0x00) },
    Scenario("blank-ones", "Only FF: not a memory.", .rejected(code: "blank_memory")) { filled($0, 0xFF) },
    Scenario(
      "encrypted-look", "Random bytes: encrypted, or not a memory.", .rejected(code: "encrypted_or_unknown")
    ) { sensor in
      var noise = sensor.random.branch(5)
      var bytes: [UInt8]
      // About one draw in twenty thousand has a correct checksum by chance, and is skipped.
      repeat {
        bytes = (0..<MemoryMap.byteCount).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
      } while CheckedMemory(MemoryImage(bytes: bytes)).kind != .unrecognised
      return sensor.image(of: bytes, atAge: sensor.midLife)
    },
  ]

  // MARK: Other products

  private static let products = [
    Scenario(
      "libre-2014", "A sensor of 2014, with changing numbers in the error field of good records.", of: .libre1Of2014
    ) { $0.image(atAge: $0.midLife) },
    Scenario("libre2-decrypted", "A decrypted Libre 2: the same layout, other constants.", of: .libre2) {
      $0.image(atAge: $0.midLife)
    },
    Scenario("libre2", "An encrypted Libre 2, readable with its UID and patch info.", of: .libre2) { encrypted($0) },
    Scenario(
      "us-14-day", "An encrypted US 14-day sensor, readable with its UID and patch info.", of: .libreUS14Day
    ) { encrypted($0) },
    Scenario(
      "libre2-wrong-patch-info", "An encrypted Libre 2 with the patch info of another sensor: the wrong key.",
      .rejected(code: "cannot_decrypt"), of: .libre2
    ) { sensor in
      var image = encrypted(sensor)
      image.patchInfo = image.patchInfo.flatMap {
        PatchInfo($0.bytes.prefix(4) + $0.bytes.suffix(2).map { $0 ^ 0x5A } as [UInt8])
      }
      return image
    },
    Scenario("pro", "The first 176 bytes of a Libre Pro: its trend, without its history.") { sensor in
      var image = pro(sensor)
      image.bytes.removeLast(image.bytes.count - LibreProMap.byteCount)
      return image
    },
    Scenario("pro-history", "A Libre Pro with its whole history, which continues after block 255.") { pro($0) },
    Scenario(
      "libre3", "A Libre 3 Plus, which shows its patch info and no block.", .rejected(code: "unsupported_family")
    ) { libre3($0) },
  ]

  // MARK: Parts

  /// The sensor's memory with a change that its checksums include.
  private static func edited(
    _ sensor: SimulatedSensor, atAge age: Int, _ change: (inout MemoryWriter) -> Void
  ) -> MemoryImage {
    var writer = sensor.writer(atAge: age)
    change(&writer)
    return sensor.image(of: writer.memory(), atAge: age)
  }

  /// A memory in mid-life whose bytes were changed after the checksums were made.
  private static func damaged(_ sensor: SimulatedSensor, _ harm: (inout [UInt8]) -> Void) -> MemoryImage {
    var image = sensor.image(atAge: sensor.midLife)
    harm(&image.bytes)
    return image
  }

  private static func encrypted(_ sensor: SimulatedSensor) -> MemoryImage {
    let image = sensor.image(atAge: sensor.midLife, trendLag: sensor.choice(in: 0...1, 2))
    return MemoryCipher(uid: sensor.uid, patchInfo: sensor.patchInfo)?.applied(to: image) ?? image
  }

  /// A Libre Pro in mid-life. The third byte of its UID is that of a Libre 2 (read: DiaBLE, two of two).
  private static func pro(_ sensor: SimulatedSensor) -> MemoryImage {
    // The history continues after block 255 from its 312th record, on the fourth day.
    let age = sensor.choice(in: 5_000...18_000, 14)
    var image = sensor.image(of: LibreProMemory.bytes(of: sensor, atAge: age), atAge: age)
    image.uid = SensorUID(bits: sensor.uid.bits | 0x0000_0400_0000_0000)
    image.patchInfo = LibreProMemory.patchInfo
    return image
  }

  /// A Libre 3 Plus in use, made by Abbott as its UID says. Its serial number is invented, as all of it.
  private static func libre3(_ sensor: SimulatedSensor) -> MemoryImage {
    var image = filled(sensor, 0x00)
    image.missingBlocks = Array(0..<MemoryMap.blockCount)
    image.uid = SensorUID(bits: 0xE07A_00FF_0000_0000 | sensor.uid.bits & 0xFFFF_FFFF)
    // Security version, region, generation 1, 15 days, firmware, product type, an hour of warm-up, paired.
    let facts: [UInt8] = [1, 0, 1, 0, 1, 0, 0x60, 0x54, 1, 0, 0, 2, 4, 12, 4]
    let serial = "0FF" + HexText.string(of: UInt32(truncatingIfNeeded: sensor.uid.bits)).prefix(6)
    image.patchInfo = PatchInfo(facts + Array(serial.utf8))
    return image
  }

  private static func filled(_ sensor: SimulatedSensor, _ byte: UInt8) -> MemoryImage {
    sensor.image(of: [UInt8](repeating: byte, count: MemoryMap.byteCount), atAge: sensor.midLife)
  }
}

extension SimulatedSensor {
  /// An age at which both rings are full and were overwritten.
  fileprivate var midLife: Int { choice(in: 2_000...18_000, 0x4C) }
}
