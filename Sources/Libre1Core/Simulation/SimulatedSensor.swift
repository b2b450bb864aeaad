// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// An invented sensor on an invented person. Every record depends only on the seed and its minute, so that two memories
/// agree in their common minutes. UIDs have `FF` after the product byte, and no number comes from a real memory.
package struct SimulatedSensor: Sendable {
  package enum Product: Hashable, Sendable, CaseIterable {
    /// A Libre 1 as sold since about 2016.
    case libre1
    /// The first sensors, with changing numbers in the error field of good records.
    case libre1Of2014
    case libre2
    /// A decrypted US 14-day sensor, which has the layout and constants of a Libre 1.
    case libreUS14Day
  }

  package let product: Product
  package let uid: SensorUID
  package let patchInfo: PatchInfo
  package let region: SensorRegion
  /// The moment of sensor minute 0: from 2024 to the middle of December 2025, unless a person wears it.
  package internal(set) var activatedAt: Instant
  package internal(set) var curve: GlucoseCurve

  package var calibration: CalibrationParameters
  package var maxLifeMinutes: Int
  /// The mean, around which it varies by 1.5 °C.
  package var celsius = 32.0
  /// Minutes in which a reader's field disturbed the measurement.
  package var disturbedMinutes: [ClosedRange<Int>] = []
  /// Minute at which it was taken off the body.
  package var takenOffAtMinute = Int.max

  let random: SplitMix64

  package init(seed: UInt64, product: Product = .libre1) {
    self.product = product
    let random = SplitMix64(seed: seed)
    let own = random.branch(0)
    self.random = random
    // USA, European, or east and rest of the world.
    let regionByte: UInt8 = product == .libreUS14Day ? 2 : own.integer(in: 0...1, at: 0) == 0 ? 1 : 8
    region = SensorRegion(regionByte)
    let number = own.word(at: 1) & 0xFFFF_FFFF
    let third: UInt64 = product == .libre2 ? 0xA4 : 0xA0
    let tail = own.word(at: 2)
    guard let uid = SensorUID(bits: 0xE007_00FF_0000_0000 | third << 40 | number),
      let patchInfo = PatchInfo(
        product.patchInfoStart
          + [regionByte, UInt8(truncatingIfNeeded: tail), UInt8(truncatingIfNeeded: tail >> 8)])
    else { preconditionFailure("E0 in front makes it a UID, and six bytes make a patch info") }
    self.uid = uid
    self.patchInfo = patchInfo
    // 1 January 2024, and the 714 days after it.
    activatedAt = Instant(secondsSince1970: 1_704_067_200 + Int64(own.integer(in: 0...714 * 86_400, at: 3)))
    maxLifeMinutes = own.integer(in: 20_600...20_940, at: 4)
    calibration = CalibrationParameters(
      i1: 0, i2: own.integer(in: 600...900, at: 5), i3: own.integer(in: 8...24, at: 6),
      i4: own.integer(in: 6_600...7_100, at: 7), i5: 4 * own.integer(in: 2_150...2_250, at: 8),
      i6: 4 * own.integer(in: 1_600...1_775, at: 9))
    curve = GlucoseCurve(seed: own.word(at: 10))
  }

  /// The minutes during which the age still increases after the maximum life (derived, verified on nine ended sensors).
  package static let expiredMinutes = 720

  package var finalAgeMinutes: Int { maxLifeMinutes + Self.expiredMinutes }

  /// A random number of this sensor, for details that a scenario leaves open.
  func choice(in range: ClosedRange<Int>, _ label: Int) -> Int { random.branch(1).integer(in: range, at: label) }

  // MARK: Records

  package func trendRecord(minute: Int) -> RecordFields {
    let noise = random.branch(2).branch(minute)
    let adjustment = -4 * noise.integer(in: 1...3, at: 0)
    let isWorn = minute < takenOffAtMinute
    let celsius = isWorn ? celsius + 1.5 * GlucoseCurve.wave(Double(minute) / 210) : 23
    let inverse = InverseCalibration(parameters: calibration)
    var record = RecordFields(
      glucose: noise.integer(in: 5...40, at: 1),
      temperature: inverse.temperatureCounts(celsius: celsius, adjustment: adjustment),
      temperatureAdjustment: adjustment, errorField: errorField(minute: minute))
    if isWorn {
      let value = curve.milligramsPerDecilitre(atMinute: minute)
      record.glucose =
        inverse.glucoseCounts(milligramsPerDecilitre: value, celsius: celsius) + noise.integer(in: -3...3, at: 2)
    }
    if disturbedMinutes.contains(where: { $0.contains(minute) }) {
      record.hasError = true
      record.errorField = product.disturbedErrorField
      record.glucose += noise.integer(in: -60...60, at: 3)
    } else if minute == 1 && noise.integer(in: 0...1, at: 4) == 0 {
      // Failed first measurements are common, and can be far above any other.
      record.hasError = true
      record.errorField = product.disturbedErrorField
      record.glucose = noise.integer(in: 11_000...13_000, at: 5)
    }
    // With a calibration without a solution only the noise remains.
    record.glucose = max(record.glucose, 0)
    return record
  }

  /// The record of a minute 15, 30, 45, …
  ///
  /// Made of the trend as Libre1Core/MemoryFormat, "History from the trend", says; an error if none of the five minutes
  /// is good.
  package func historyRecord(minute: Int) -> RecordFields {
    var record = trendRecord(minute: minute)
    let good = (minute - 2...minute + 2).map(trendRecord).filter { !$0.hasError }
    record.hasError = good.isEmpty
    record.glucose = good.isEmpty ? 0 : good.reduce(0) { $0 + $1.glucose } / good.count
    record.errorField = good.isEmpty ? product.disturbedErrorField : errorField(minute: minute)
    return record
  }

  /// The error field of a record without error.
  private func errorField(minute: Int) -> Int {
    switch product {
    case .libre1, .libreUS14Day: 0x320
    case .libre1Of2014: random.branch(3).integer(in: 0x299...0x311, at: minute)
    case .libre2: 0
    }
  }

  // MARK: Memory

  package func state(atAge age: Int) -> SensorState {
    switch age {
    case ..<1: .notActivated
    case ..<60: .warmingUp
    case ..<maxLifeMinutes: .active
    case ..<finalAgeMinutes: .expired
    default: .shutdown
    }
  }

  /// The whole content of its memory at an age. `trendLag` is the number of minutes from the newest trend record to the
  /// age: 1 on two real scans of three, otherwise 0. `historyLag` is the number of records that the history lacks: 0,
  /// seldom 1.
  package func writer(atAge age: Int, trendLag: Int = 1, historyLag: Int = 0) -> MemoryWriter {
    let shownAge = min(max(age, 0), finalAgeMinutes)
    let newestTrend = max(shownAge - trendLag, 0)
    // A history record is written when the trend is two minutes past it, and not after the maximum life.
    let newestHistory = max(min(newestTrend - 2, maxLifeMinutes) / 15 - historyLag, 0) * 15
    var writer = MemoryWriter()
    let state = state(atAge: age)
    writer.state = state.raw ?? 0
    if age >= maxLifeMinutes { writer.endOfLife.append(.init(leftState: .active, minute: .init(maxLifeMinutes))) }
    if age >= finalAgeMinutes { writer.endOfLife.append(.init(leftState: .expired, minute: .init(finalAgeMinutes))) }
    writer.setTrend(newestMinute: newestTrend, record: trendRecord)
    writer.setHistory(newestMinute: newestHistory, record: historyRecord)
    writer.ageMinutes = shownAge
    writer.initializations = product == .libre2 ? 1 : 0
    writer.familyByte = patchInfo.bytes[2]
    writer.region = patchInfo.bytes[3]
    writer.batch = UInt16(choice(in: 900...3_000, 0))
    writer.maxLifeMinutes = maxLifeMinutes
    writer.fingerprint = product == .libre2 ? FooterFingerprint.libre2 : FooterFingerprint.libre1
    writer.unexplainedCalibrationBits =
      UInt64(errorField(minute: 0)) << UInt64(MemoryMap.i4.first + MemoryMap.i4.width)
      | (product == .libre2 ? 0 : 1) << UInt64(MemoryMap.i3IsNegative.first + MemoryMap.i3IsNegative.width)
    writer.calibration = calibration
    return writer
  }

  package func memory(atAge age: Int, trendLag: Int = 1, historyLag: Int = 0) -> [UInt8] {
    writer(atAge: age, trendLag: trendLag, historyLag: historyLag).memory()
  }

  /// Its 344 bytes at an age with all other facts that a reader finds out.
  package func image(atAge age: Int, trendLag: Int = 1, historyLag: Int = 0) -> MemoryImage {
    image(of: memory(atAge: age, trendLag: trendLag, historyLag: historyLag), atAge: age)
  }

  /// The bytes, as read from this sensor in the minute `age`.
  func image(of bytes: [UInt8], atAge age: Int) -> MemoryImage {
    let minuteStart = activatedAt.adding(minutes: age).secondsSince1970
    let readAt = Instant(secondsSince1970: minuteStart + Int64(random.branch(4).integer(in: 0...59, at: age)))
    return MemoryImage(bytes: bytes, uid: uid, patchInfo: patchInfo, readAt: readAt)
  }
}

extension SimulatedSensor.Product {
  /// The first three bytes of its patch info (Libre1Core/MemoryFormat, "Patch info").
  fileprivate var patchInfoStart: [UInt8] {
    switch self {
    case .libre1, .libre1Of2014: [0xDF, 0x00, 0x00]
    case .libre2: [0x9D, 0x08, 0x30]
    case .libreUS14Day: [0xE5, 0x00, 0x03]
    }
  }

  /// The error field of a measurement that a reader's field disturbed (Libre1Core/MemoryFormat, "Error field").
  fileprivate var disturbedErrorField: Int {
    switch self {
    case .libre1, .libre1Of2014, .libreUS14Day: 0x220
    case .libre2: 0x020
    }
  }
}

/// The inverse of the factory formula: the counts that a sensor with these parameters would store
/// (Libre1Core/Calibration, "Factory formula").
/// The thermistor's part is independent of the decoder's, so that each is a test of the other. The glucose part is
/// linear in the counts, and is computed from the decoder's values at two points.
struct InverseCalibration {
  let parameters: CalibrationParameters

  /// Counts in steps of 4, for the adjustment that is stored with them.
  func temperatureCounts(celsius: Double, adjustment: Int) -> Int {
    let ohms = Self.exponential(Self.logOhms(celsius: celsius))
    let counts = (ohms + 1_000) * Double(adjustment + parameters.i6) / 72_500
    return 4 * Self.nearest(counts / 4, atMost: 4095)
  }

  /// 0…16383; 0 for parameters without a solution.
  func glucoseCounts(milligramsPerDecilitre: Double, celsius: Double) -> Int {
    let values = FactoryCalibration().concentrations(of: [0, 1_000], celsius: [celsius, celsius], parameters)
    let perCount = (values[1] - values[0]) / 1_000
    return Self.nearest((milligramsPerDecilitre - values[0]) / perCount, atMost: 16_383)
  }

  /// The nearest whole number of 0…`limit`; 0 for NaN. `rounded()` would need the platform's libm.
  private static func nearest(_ value: Double, atMost limit: Int) -> Int {
    value > 0 ? Int(saturating: min(value, Double(limit)) + 0.5) : 0
  }

  /// Solves the Steinhart–Hart equation for ln R by Newton's method; six steps reach the last bit for every possible
  /// temperature.
  private static func logOhms(celsius: Double) -> Double {
    let (a, b, c, d) = (0.000_918_002_3, 0.000_196_456_1, 0.000_000_706_177_5, 0.000_000_052_835_66)
    let target = 1 / (celsius + 273.15)
    var l = 11.0
    for _ in 0..<6 {
      let value = a + l * (b + l * (c + l * d)) - target
      let slope = b + l * (2 * c + 3 * l * d)
      l -= value / slope
    }
    return l
  }

  /// e to the power of x as the 1024th power of a short series, because the platform's function may differ in
  /// the last bit between machines.
  private static func exponential(_ x: Double) -> Double {
    let z = x / 1024
    var result = 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4 * (1 + z / 5 * (1 + z / 6)))))
    for _ in 0..<10 { result *= result }
    return result
  }
}
