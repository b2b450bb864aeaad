// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

struct SimulatedSensorTests {
  @Test(
    "two scans of one sensor never disagree on a minute, at any ages",
    arguments: UInt64(0)..<UInt64(TestTier.rounds(1, full: 3)))
  func noConflicts(seed: UInt64) throws {
    let sensor = SimulatedSensor(seed: seed)
    let random = SplitMix64(seed: seed)
    var seen: [Key: RawSample] = [:]
    var agreements = 0
    for index in 0..<200 {
      // Ages near each other, so that their rings overlap, including the end of life.
      let age = index < 150 ? random.integer(in: 0...900, at: index) : random.integer(in: 20_500...22_500, at: index)
      let bytes = sensor.memory(
        atAge: age, trendLag: random.integer(in: 0...1, at: 1_000 + index),
        historyLag: random.integer(in: 0...1, at: 2_000 + index))
      let decoded = try Libre1Decoder.decode(bytes.span)
      for sample in decoded.trend.samples + decoded.history.samples {
        let key = Key(ring: sample.ring, minute: sample.minute.value)
        if let earlier = seen.updateValue(sample.raw, forKey: key) {
          #expect(earlier == sample.raw, "\(key)")
          agreements += 1
        }
      }
    }
    #expect(agreements > 3_000)
  }

  @Test(
    "history is made two minutes after its minute",
    arguments: [(46, 0, 30), (47, 0, 45), (47, 1, 30), (48, 1, 45)])
  func historyDelay(age: Int, trendLag: Int, newest: Int) throws {
    let bytes = SimulatedSensor(seed: 1).memory(atAge: age, trendLag: trendLag)
    let decoded = try Libre1Decoder.decode(bytes.span)
    #expect(decoded.timeline.newestTrendMinute == SensorMinute(age - trendLag))
    #expect(decoded.timeline.newestHistoryMinute == SensorMinute(newest))
    #expect(decoded.history[0]?.quality == .warmUp)
  }

  @Test("history stops at the maximum life while the trend continues")
  func historyEnd() throws {
    let sensor = SimulatedSensor(seed: 2)
    let last = sensor.maxLifeMinutes / 15 * 15
    for age in [sensor.maxLifeMinutes + 300, sensor.finalAgeMinutes + 10_000] {
      let bytes = sensor.memory(atAge: age)
      let decoded = try Libre1Decoder.decode(bytes.span)
      #expect(decoded.timeline.newestHistoryMinute == SensorMinute(last))
      #expect(decoded.timeline.newestTrendMinute == SensorMinute(min(age, sensor.maxLifeMinutes + 720) - 1))
      #expect(bytes[27] == UInt8(sensor.maxLifeMinutes / 15 % 32))
    }
  }

  @Test("the state follows the age", arguments: UInt64(0)..<10)
  func states(seed: UInt64) {
    let sensor = SimulatedSensor(seed: seed)
    let end = sensor.maxLifeMinutes
    #expect((20_600...20_945).contains(end))
    let ages = [0, 1, 59, 60, end - 1, end, end + 719, end + 720]
    #expect(
      ages.map(sensor.state(atAge:)) == [
        .notActivated, .warmingUp, .warmingUp, .active, .active, .expired, .expired, .shutdown,
      ])
    #expect(sensor.memory(atAge: end + 720)[4...11] == sensor.memory(atAge: end + 5_000)[4...11])
  }

  @Test("decoded values equal the sensor's glucose curve", arguments: UInt64(0)..<20)
  func followsCurve(seed: UInt64) throws {
    let sensor = SimulatedSensor(seed: seed)
    let bytes = sensor.memory(atAge: 3_000 + Int(seed) * 700)
    let decoded = try Libre1Decoder.decode(bytes.span)
    for sample in decoded.trend.samples {
      let value = try #require(sample.concentration).milligramsPerDecilitre
      let curve = sensor.curve.milligramsPerDecilitre(atMinute: sample.minute.value)
      #expect((value - curve).magnitude < 1, "minute \(sample.minute)")
      #expect((30...34).contains(try #require(sample.temperatureCelsius)))
    }
    for sample in decoded.history.samples {
      let value = try #require(sample.concentration).milligramsPerDecilitre
      let minutes = sample.minute.value - 2...sample.minute.value + 2
      let curve = minutes.map(sensor.curve.milligramsPerDecilitre(atMinute:)).reduce(0, +) / 5
      #expect((value - curve).magnitude < 1, "minute \(sample.minute)")
    }
  }

  @Test(
    "simulated glucose stays between 60 and 250 mg/dL and never jumps",
    arguments: UInt64(0)..<UInt64(TestTier.rounds(4, full: 20)))
  func curve(seed: UInt64) {
    let curve = GlucoseCurve(seed: seed)
    let values = (0...20_000).map(curve.milligramsPerDecilitre(atMinute:))
    #expect(values.allSatisfy { (60...250).contains($0) })
    let steepest = zip(values, values.dropFirst()).map { ($1 - $0).magnitude }.max() ?? 0
    #expect(steepest < 6, "\(steepest) mg/dL in a minute")
    #expect((values.max() ?? 0) - (values.min() ?? 0) > 50, "a day of meals is not flat")
  }

  @Test("only the first minute may have an error on an undisturbed sensor, and on some it has")
  func firstRecord() {
    let first = (UInt64(0)..<40).map { SimulatedSensor(seed: $0).trendRecord(minute: 1).hasError }
    #expect(Set(first) == [true, false])
    #expect((2...500).allSatisfy { !SimulatedSensor(seed: 3).trendRecord(minute: $0).hasError })
  }

  @Test("a calibration without a solution gives counts near zero, not a trap", arguments: [(0, 6_800), (700, 16)])
  func impossibleCalibration(i2: Int, i4: Int) {
    var sensor = SimulatedSensor(seed: 6)
    sensor.calibration = CalibrationParameters(i1: 0, i2: i2, i3: 16, i4: i4, i5: 0, i6: 0)
    #expect((2...50).allSatisfy { (0...3).contains(sensor.trendRecord(minute: $0).glucose) })
  }

  @Test("a sensor is read within the minute of its age, and has a UID and patch info", arguments: UInt64(0)..<20)
  func image(seed: UInt64) throws {
    for (product, prefix, patch) in [
      (SimulatedSensor.Product.libre1, "E007A0FF", "DF0000"), (.libre1Of2014, "E007A0FF", "DF0000"),
      (.libreUS14Day, "E007A0FF", "E5000302"),
      (.libre2, "E007A4FF", "9D0830"),
    ] {
      let sensor = SimulatedSensor(seed: seed, product: product)
      let image = sensor.image(atAge: 4_000)
      #expect(image.uid?.description.hasPrefix(prefix) == true)
      #expect(image.patchInfo?.description.hasPrefix(patch) == true)
      #expect(image.patchInfo?.bytes[2...3] == image.bytes[322...323])
      let seconds = try #require(image.readAt).secondsSince1970 - sensor.activatedAt.secondsSince1970
      #expect((4_000 * 60..<4_001 * 60).contains(seconds))
    }
  }

  struct Key: Hashable {
    let ring: SampleRing
    let minute: Int
  }
}

struct SplitMix64Tests {
  @Test("seed 1234567 gives the published numbers")
  func publishedNumbers() {
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test("a number computed by its index equals the one drawn in sequence")
  func lookUp() {
    let start = SplitMix64(seed: 7)
    var drawing = start
    for index in 0..<100 { #expect(start.word(at: index) == drawing.next()) }
  }

  @Test("an integer stays in its range and reaches both limits")
  func range() {
    let generator = SplitMix64(seed: 8)
    let numbers = Set((0..<1_000).map { generator.integer(in: -3...3, at: $0) })
    #expect(numbers == Set(-3...3))
    #expect((0..<1_000).allSatisfy { (0..<1).contains(generator.fraction(at: $0)) })
  }
}
