// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import Libre1Core
import SensorCipher

/// A situation that readers of sensors have to handle, as a memory made from a seed.
///
/// The same seed gives the same bytes on every machine. All scenarios with the same seed and product are the same
/// sensor, at different ages and with different problems.
package struct Scenario: Sendable {
  /// The required result of decoding.
  package enum Expectation: Hashable, Sendable {
    /// A reading, possibly with problems.
    case decodes
    /// An error with this code.
    case rejected(code: String)
  }

  /// The name in lower-case words with dashes: `active-trend-lag`.
  package let name: String
  /// A description in one sentence.
  package let summary: String
  package let expectation: Expectation
  private let make: @Sendable (UInt64) -> MemoryImage

  init(
    _ name: String, _ summary: String, _ expectation: Expectation = .decodes,
    make: @escaping @Sendable (UInt64) -> MemoryImage
  ) {
    self.name = name
    self.summary = summary
    self.expectation = expectation
    self.make = make
  }

  /// Returns the memory with an invented UID (`E007A0FF…`, `E007A4FF…` for a Libre 2 or Pro), patch info and read time.
  package func image(seed: UInt64) -> MemoryImage { make(seed) }

  /// Returns the memory alone: 344 bytes; 176 or more for a Libre Pro, 1952 for a full memory.
  package func memory(seed: UInt64) -> [UInt8] { make(seed).bytes }

  /// Returns the scenario with this name, or nil.
  package static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

  /// All scenarios: the stages of a sensor's life, unusual memories, damaged ones, other products.
  package static let all: [Scenario] = life + ages + oddities + damage + products
}

extension Scenario {
  // MARK: The life of a sensor

  static let life = [
    Scenario("not-activated", "A new sensor, never started: no samples.") { sensor($0).image(atAge: 0) },
    Scenario("warming-up", "Half an hour after the start: the samples are not reliable yet.") { seed in
      let sensor = sensor(seed)
      return sensor.image(atAge: sensor.choice(in: 20...40, 1))
    },
    Scenario("first-hour", "55 minutes after the start, already in the state active.") { seed in
      edited(sensor(seed), atAge: 55) { $0.state = 3 }
    },
    Scenario("active", "A sensor in the middle of its life: full rings, good values.") { seed in
      let sensor = sensor(seed)
      return sensor.image(atAge: sensor.midLife, trendLag: sensor.choice(in: 0...1, 2))
    },
    Scenario("active-trend-lag", "The newest trend record is one minute behind the age, as on two scans of three.") {
      let sensor = sensor($0)
      return sensor.image(atAge: sensor.midLife, trendLag: 1)
    },
    Scenario("active-trend-now", "The newest trend record is of the same minute as the age.") {
      let sensor = sensor($0)
      return sensor.image(atAge: sensor.midLife, trendLag: 0)
    },
    Scenario("history-lag", "The history is one record behind its age: only the ring index shows it.") {
      let sensor = sensor($0)
      return sensor.image(atAge: sensor.midLife, historyLag: 1)
    },
    Scenario("expired", "After the maximum life: the trend continues, the history has stopped.") { seed in
      let sensor = sensor(seed)
      return sensor.image(atAge: sensor.maxLifeMinutes + sensor.choice(in: 60...700, 3))
    },
    Scenario("shutdown", "Ended normally: the age has stopped twelve hours after the maximum life.") { seed in
      let sensor = sensor(seed)
      return sensor.image(atAge: sensor.finalAgeMinutes + sensor.choice(in: 100...3_000, 4))
    },
    Scenario("failure", "Ended early by a failure; the log has the reason.") { seed in
      let sensor = sensor(seed)
      let age = sensor.midLife
      return edited(sensor, atAge: age) { writer in
        writer.state = 6
        writer.failure = SensorFailure(
          code: [0x0A, 0x0D, 0x13, 0x28][sensor.choice(in: 0...3, 5)], minute: SensorMinute(age))
      }
    },
    Scenario("restarted", "Reset and started again: active, but with a log entry.") { seed in
      let sensor = sensor(seed)
      return edited(sensor, atAge: sensor.midLife) { writer in
        writer.activity = 1
        writer.endOfLife = [
          EndOfLifeEntry(leftState: .warmingUp, minute: SensorMinute(sensor.choice(in: 5...50, 6)))
        ]
      }
    },
  ]

  // MARK: Ages at which a ring becomes full

  static let ages = [
    Scenario("age-15", "Fifteen minutes: the trend ring lacks one record.") {
      sensor($0).image(atAge: 15, trendLag: 0)
    },
    Scenario("age-16", "Sixteen minutes: the trend ring is full and its index is 0 again.") {
      sensor($0).image(atAge: 16, trendLag: 0)
    },
    Scenario("age-480", "Eight hours: the newest history record is still that of minute 465.") {
      sensor($0).image(atAge: 480, trendLag: 0)
    },
    Scenario("age-495", "Eight and a quarter hours: the history ring is full and its index is 0 again.") {
      sensor($0).image(atAge: 495, trendLag: 0)
    },
    Scenario("young", "A few hours old: the older part of the history was never written.") { seed in
      let sensor = sensor(seed)
      return sensor.image(atAge: sensor.choice(in: 120...400, 7))
    },
  ]

  // MARK: Unusual, but undamaged

  static let oddities = [
    Scenario("rf-error", "The radio field of a reader disturbed measurements: error records in both rings.") { seed in
      var sensor = sensor(seed)
      let age = sensor.midLife
      let quarter = (age - 60) / 15 * 15
      // The whole window of one history record, part of the next one's, and three minutes of the trend.
      sensor.disturbedMinutes = [quarter - 2...quarter + 2, quarter + 14...quarter + 15, age - 5...age - 3]
      return sensor.image(atAge: age)
    },
    Scenario("gaps", "Some slots are empty although their minute has passed.") { seed in
      let sensor = sensor(seed)
      return edited(sensor, atAge: sensor.midLife) { writer in
        writer.trend[sensor.choice(in: 0...15, 8)] = .neverWritten
        for label in 9...12 { writer.history[sensor.choice(in: 0...31, label)] = .neverWritten }
      }
    },
    Scenario("low-signal", "Taken off ten hours ago: almost no signal.") { seed in
      var sensor = sensor(seed)
      let age = sensor.midLife
      sensor.takenOffAtMinute = age - 600
      return sensor.image(atAge: age)
    },
    Scenario("cold", "At 17 °C: the values are not reliable.") { seed in
      var sensor = sensor(seed)
      sensor.celsius = 17
      return sensor.image(atAge: sensor.midLife)
    },
    Scenario("freezing", "Below 0 °C, where the formula is not valid: no values.") { seed in
      var sensor = sensor(seed)
      let real = sensor.calibration
      // With the i6 of real sensors the thermistor's field is full at 12 to 15 °C, so this i6 is unlike any real one.
      sensor.calibration = CalibrationParameters(
        i1: real.i1, i2: real.i2, i3: real.i3, i4: real.i4, i5: real.i5, i6: 2_600)
      sensor.celsius = -2
      return sensor.image(atAge: sensor.midLife)
    },
    Scenario("i2-zero", "A calibration with i2 = 0, which has no row in the table: no values.") { seed in
      let sensor = sensor(seed)
      return edited(sensor, atAge: sensor.midLife) { $0.i2 = 0 }
    },
    Scenario("i4-equals-i3", "A calibration that would divide by zero: no values.") { seed in
      let sensor = sensor(seed)
      return edited(sensor, atAge: sensor.midLife) { $0.i4 = $0.i3 }
    },
    Scenario("full-memory", "All 1952 bytes that NFC reaches, with an invented code section.") { seed in
      let sensor = sensor(seed)
      let age = sensor.midLife
      return sensor.image(of: sensor.writer(atAge: age).fullMemory(), atAge: age)
    },
  ]

  // MARK: Damage

  static let damage = [
    Scenario("torn", "The minute changed during the read: the checksum fits the age of the minute before.") { seed in
      let sensor = sensor(seed)
      let age = sensor.midLife
      var bytes = sensor.memory(atAge: age - 1, trendLag: sensor.choice(in: 0...1, 2))
      bytes.storeAge(age)
      return sensor.image(of: bytes, atAge: age)
    },
    Scenario("bad-header", "One wrong bit in the header: state and calibration are unknown.") { seed in
      damaged(seed) { bytes, _ in bytes[MemoryMap.state] ^= 0x40 }
    },
    Scenario("bad-footer", "One wrong bit in the footer: calibration, region and maximum life are unknown.") { seed in
      damaged(seed) { bytes, _ in bytes[MemoryMap.region] ^= 0x10 }
    },
    Scenario("block-42-missing", "The last block was not read and is zero: the footer's checksum is wrong.") {
      seed in
      damaged(seed) { bytes, _ in
        for index in MemoryMap.footer.end - MemoryMap.blockSize..<MemoryMap.footer.end { bytes[index] = 0 }
      }
    },
    Scenario("bad-body", "One history record was corrupted during the read.", .rejected(code: "crc_mismatch")) { seed in
      damaged(seed) { bytes, sensor in
        let size = MemoryMap.Record.byteCount
        let start = MemoryMap.history.offset + size * sensor.choice(in: 0...31, 13)
        // A burst of sixteen bits, which a 16-bit checksum always detects, and which a change of the minute cannot
        // explain.
        bytes[start] ^= 0xA5
        bytes[start + 1] ^= 0x5B
      }
    },
    Scenario(
      "ring-index-16", "A trend index outside the ring, with a correct checksum.",
      .rejected(code: "ring_index_out_of_range")
    ) { seed in
      let sensor = sensor(seed)
      return edited(sensor, atAge: sensor.midLife) { $0.trendIndex = 16 }
    },
    Scenario(
      "history-index-32", "A history index outside the ring, with a correct checksum.",
      .rejected(code: "ring_index_out_of_range")
    ) { seed in
      let sensor = sensor(seed)
      return edited(sensor, atAge: sensor.midLife) { $0.historyIndex = 32 }
    },
    Scenario("blank-zero", "Only zeros: not a memory.", .rejected(code: "blank_memory")) { filled($0, 0x00) },
    Scenario("blank-ones", "Only FF: not a memory.", .rejected(code: "blank_memory")) { filled($0, 0xFF) },
    Scenario(
      "encrypted-look", "Random bytes: encrypted, or not a memory.",
      .rejected(code: "encrypted_or_unknown")
    ) { seed in
      let sensor = sensor(seed)
      var noise = SplitMix64(seed: seed).branch(5)
      var bytes: [UInt8]
      // About one draw in twenty thousand has a correct checksum by chance, and is skipped.
      repeat {
        bytes = (0..<MemoryMap.byteCount).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
      } while CheckedMemory(MemoryImage(bytes: bytes)).kind != .unrecognised
      return sensor.image(of: bytes, atAge: sensor.midLife)
    },
  ]

  // MARK: Other products

  static let products = [
    Scenario("libre-2014", "A sensor of 2014, with changing numbers in the error field of good records.") {
      seed in
      let sensor = SimulatedSensor(seed: seed, product: .libre1Of2014)
      return sensor.image(atAge: sensor.midLife)
    },
    Scenario("libre2-decrypted", "A decrypted Libre 2: the same layout, other constants.") { seed in
      let sensor = SimulatedSensor(seed: seed, product: .libre2)
      return sensor.image(atAge: sensor.midLife)
    },
    Scenario("libre2", "An encrypted Libre 2, readable with its UID and patch info.") { seed in
      encrypted(seed, .libre2)
    },
    Scenario("us-14-day", "An encrypted US 14-day sensor, readable with its UID and patch info.") {
      seed in
      encrypted(seed, .libreUS14Day)
    },
    Scenario(
      "libre2-wrong-patch-info", "An encrypted Libre 2 with the patch info of another sensor: the wrong key.",
      .rejected(code: "cannot_decrypt")
    ) { seed in
      var image = encrypted(seed, .libre2)
      image.patchInfo = image.patchInfo.flatMap {
        PatchInfo($0.bytes.prefix(4) + $0.bytes.suffix(2).map { $0 ^ 0x5A } as [UInt8])
      }
      return image
    },
    Scenario("pro", "The first 176 bytes of a Libre Pro: its trend, without its history.") { seed in
      var image = pro(seed)
      image.bytes.removeLast(image.bytes.count - LibreProMap.byteCount)
      return image
    },
    Scenario("pro-history", "A Libre Pro with its whole history, which continues after block 255.") { pro($0) },
  ]

  // MARK: Parts

  private static func sensor(_ seed: UInt64) -> SimulatedSensor { SimulatedSensor(seed: seed) }

  /// Returns the sensor's memory with a change that its checksums include.
  private static func edited(
    _ sensor: SimulatedSensor, atAge age: Int, _ change: (inout MemoryWriter) -> Void
  ) -> MemoryImage {
    var writer = sensor.writer(atAge: age)
    change(&writer)
    return sensor.image(of: writer.memory(), atAge: age)
  }

  /// Returns a memory in mid-life whose bytes were changed after the checksums were made.
  private static func damaged(_ seed: UInt64, _ harm: (inout [UInt8], SimulatedSensor) -> Void) -> MemoryImage {
    let sensor = sensor(seed)
    var image = sensor.image(atAge: sensor.midLife)
    harm(&image.bytes, sensor)
    return image
  }

  /// Returns the encrypted memory of a sensor in mid-life.
  private static func encrypted(_ seed: UInt64, _ product: SimulatedSensor.Product) -> MemoryImage {
    let sensor = SimulatedSensor(seed: seed, product: product)
    var image = sensor.image(atAge: sensor.midLife, trendLag: sensor.choice(in: 0...1, 2))
    if let cipher = MemoryCipher(uid: sensor.uid, patchInfo: sensor.patchInfo) {
      image.bytes = cipher.applied(to: image.bytes)
    }
    return image
  }

  /// Returns the memory of a Libre Pro in mid-life. The third byte of its UID is that of a Libre 2 (read: DiaBLE, two
  /// of two).
  private static func pro(_ seed: UInt64) -> MemoryImage {
    let sensor = sensor(seed)
    // The history continues after block 255 from its 312th record, on the fourth day.
    let age = sensor.choice(in: 5_000...18_000, 14)
    var image = sensor.image(of: LibreProMemory.bytes(of: sensor, atAge: age), atAge: age)
    image.uid = SensorUID(bits: sensor.uid.bits | 0x0000_0400_0000_0000)
    image.patchInfo = LibreProMemory.patchInfo
    return image
  }

  private static func filled(_ seed: UInt64, _ byte: UInt8) -> MemoryImage {
    let sensor = sensor(seed)
    return sensor.image(of: [UInt8](repeating: byte, count: MemoryMap.byteCount), atAge: sensor.midLife)
  }
}

extension SimulatedSensor {
  /// An age at which both rings are full and were overwritten.
  fileprivate var midLife: Int { choice(in: 2_000...18_000, 0x4C) }
}
