// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct CurrentValueTests {
  /// One tenth of the counts, so that a test can give a value as counts.
  private let tenth = LinearCalibration(slope: 0.1, offset: 0)

  /// Trend minutes 985…1000 with the given counts by minute; the sensor flagged all other minutes as bad.
  private func current(_ counts: [Int: Int], state: UInt8 = 3) throws -> CurrentGlucose? {
    var fixture = MemoryBuilder(state: state)
    for minute in 985...1_000 {
      fixture.setTrend(
        minute: minute,
        counts[minute].map { MemoryBuilder.record(glucose: $0) }
          ?? MemoryBuilder.record(glucose: 5_000, errorField: 0x220, hasError: true))
    }
    return try fixture.sealed().decoded(calibration: tenth).current
  }

  /// Counts that rise by `slope` per minute and reach `last` at minute 1000.
  private func line(_ minutes: some Sequence<Int>, slope: Int, last: Int = 2_000) -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: minutes.map { ($0, last - slope * (1_000 - $0)) })
  }

  @Test("a good minute is current up to five minutes before the newest minute, but not six")
  func lag() throws {
    #expect(try current(line(985...995, slope: 10))?.minute == SensorMinute(995))
    #expect(try current(line(985...994, slope: 10)) == nil)
    #expect(try current([:]) == nil)
  }

  @Test(
    "the newest good minute is the current one, and the rate of a straight line is its slope, also with gaps",
    arguments: [
      (Array(985...1_000), 10, 1.0), (Array(985...1_000), -25, -2.5), (Array(985...1_000), 0, 0.0),
      (Array(985...1_000), 35, 3.5), ([985, 986, 990, 995, 997], 10, 1.0), (Array(996...1_000), 10, 1.0),
    ])
  func straightLine(minutes: [Int], slope: Int, rate: Double) throws {
    let current = try #require(try current(line(minutes, slope: slope)))
    #expect(current.minute == SensorMinute(minutes[minutes.count - 1]))
    let newest = 200 - rate * Double(1_000 - current.minute.value)
    #expect(abs(current.concentration.milligramsPerDecilitre - newest) < 1e-9)
    #expect(abs(try #require(current.ratePerMinute) - rate) < 1e-9)
  }

  @Test(
    "a computed value counts for the newest minute if a reader's field alone disturbed it and those before are good")
  func computed() throws {
    func sample(_ minute: Int, _ quality: SampleQuality, error: UInt16? = nil) throws -> GlucoseSample {
      GlucoseSample(
        raw: ReaderSeries.sample(.trend, minute, 1_400, error: error), temperatureCelsius: 32,
        concentration: error == nil ? GlucoseConcentration(milligramsPerDecilitre: 90) : nil, quality: quality)
    }
    let value = try #require(GlucoseConcentration(possible: 120))
    func current(_ samples: [GlucoseSample], computed minute: Int) -> Int? {
      var current = CurrentValue(newestMinute: SensorMinute(1_000))
      for sample in samples { current.add(sample) }
      let computed = CurrentGlucose(minute: SensorMinute(minute), concentration: value, ratePerMinute: 1)
      return current.glucose { $0 == computed.minute ? computed : nil }?.minute.value
    }
    let rf = try sample(1_000, .error, error: 0x220)
    #expect(current([rf, try sample(999, .ok)], computed: 1_000) == 1_000)
    #expect(current([rf, try sample(999, .error, error: 0x220), try sample(998, .ok)], computed: 1_000) == 1_000)
    #expect(current([rf, try sample(999, .ok)], computed: 999) == 999)
    #expect(current([rf, try sample(999, .warmUp)], computed: 1_000) == nil)
    #expect(current([rf], computed: 1_000) == nil)
    #expect(current([try sample(1_000, .error, error: 0x202), try sample(999, .ok)], computed: 1_000) == 999)
    #expect(current([try sample(1_000, .ok), try sample(999, .ok)], computed: 1_000) == 1_000)
  }

  @Test("the rate minimises the sum of squared distances of at least five of the sixteen minutes")
  func leastSquares() throws {
    // x −4…0, y 100, 102, 101, 105, 107: Σ(x−x̄)(y−ȳ) = −2·−3 + −1·−1 + 0·−2 + 1·2 + 2·4 = 17, over Σ(x−x̄)² = 10.
    let current = try #require(try current([996: 1_000, 997: 1_020, 998: 1_010, 999: 1_050, 1_000: 1_070]))
    #expect(abs(try #require(current.ratePerMinute) - 1.7) < 1e-9 && current.direction == .fortyFiveUp)
    // One of 16 points is 16 mg/dL above: Σ(x−x̄)(y−ȳ) = −7.5 · 16 = −120, over Σ(x−x̄)² = 340.
    let bent = line(985...1_000, slope: 0).merging([985: 2_160]) { $1 }
    #expect(abs(try #require(try self.current(bent)?.ratePerMinute) + 120.0 / 340) < 1e-9)
    let four = try #require(try self.current(line(997...1_000, slope: 10)))
    #expect(four.ratePerMinute == nil && four.direction == .notComputable)
  }

  @Test("only states in which a sensor measures have a current value")
  func states() throws {
    let counts = line(985...1_000, slope: 10)
    for state in [UInt8(3), 4] { #expect(try current(counts, state: state) != nil, "state \(state)") }
    for state in [UInt8(0), 1, 2, 5, 6, 7, 255] { #expect(try current(counts, state: state) == nil, "state \(state)") }
  }

  @Test("samples that are not ok are neither current nor part of the rate")
  func onlyOk() throws {
    var fixture = MemoryBuilder()
    for minute in 985...1_000 { fixture.setTrend(minute: minute, MemoryBuilder.record(glucose: 1_000)) }
    // Above 40 °C, and a low signal: both have values, neither is ok.
    fixture.setTrend(minute: 1_000, MemoryBuilder.record(glucose: 3_000, temperature: 4_600, adjustment: 0))
    fixture.setTrend(minute: 999, MemoryBuilder.record(glucose: 20))
    let current = try #require(try fixture.sealed().decoded(calibration: tenth).current)
    #expect(current.minute == SensorMinute(998))
    #expect(abs(try #require(current.ratePerMinute)) < 1e-9)
  }

  @Test("the newest minute is that of the ring, not the age")
  func ringMinute() throws {
    // Age 1000 with index 7: the newest minute is 999.
    var fixture = MemoryBuilder(trendIndex: 7)
    for minute in 984...999 {
      fixture.setTrend(minute: minute, MemoryBuilder.record(glucose: 1_300, hasError: minute > 994))
    }
    #expect(try fixture.sealed().decoded().current?.minute == SensorMinute(994))
  }
}
