// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Testing

struct AgreementMetricsTests {
  @Test(
    "four pairs have the figures calculated by hand; the worst is the largest either way, of equal ones the first"
  )
  func worked() throws {
    // Differences +10, −20, +30, 0: mean 5; squares 1400; about the mean 1300.
    let metrics = AgreementMetrics([
      try .of(100, 110), try .of(80, 60), try .of(150, 180), try .of(200, 200),
    ])
    #expect(metrics.count == 4)
    #expect(metrics.bias == 5)
    // 10 %, 25 %, 20 % and 0 %.
    #expect(abs(try #require(metrics.mard) - 13.75) < 1e-12)
    #expect(abs(try #require(metrics.rmse) - 350.0.squareRoot()) < 1e-12)
    let deviation = (1_300.0 / 3).squareRoot()
    #expect(abs(try #require(metrics.standardDeviation) - deviation) < 1e-12)
    let limits = try #require(metrics.limitsOfAgreement)
    #expect(abs(limits.lowerBound - (5 - 1.96 * deviation)) < 1e-12)
    #expect(abs(limits.upperBound - (5 + 1.96 * deviation)) < 1e-12)
    #expect(metrics.worst == 30)
    #expect(AgreementMetrics(try [GlucosePair.of(100, 110), .of(100, 70), .of(100, 130)]).worst == -30)
    #expect(metrics.percentWithin15 == 50 && metrics.percentWithin20 == 100)
  }

  @Test("an empty list has no figures, and one pair has no spread")
  func few() throws {
    let none = AgreementMetrics([])
    #expect(none.count == 0)
    #expect(
      [none.bias, none.mard, none.rmse, none.worst, none.percentWithin15, none.percentWithin20]
        == .init(repeating: nil, count: 6))
    #expect(none.standardDeviation == nil && none.limitsOfAgreement == nil)
    let one = AgreementMetrics([try .of(100, 88)])
    #expect(one.bias == -12 && one.rmse == 12 && one.worst == -12 && one.mard == 12)
    #expect(one.standardDeviation == nil && one.limitsOfAgreement == nil)
    let two = AgreementMetrics([try .of(100, 88), try .of(100, 88)])
    #expect(two.standardDeviation == 0 && two.limitsOfAgreement == -12...(-12))
  }

  @Test("below 100 mg/dL a difference counts in mg/dL, from 100 on in percent; the limit itself is within")
  func within() throws {
    for (reference, sensor, is15, is20) in [
      (99.0, 114.0, true, true), (99, 114.1, false, true), (99, 79, false, true), (99, 78.9, false, false),
      (100, 115, true, true), (100, 115.1, false, true), (100, 80, false, true), (100, 79.9, false, false),
      (300, 345, true, true), (300, 346, false, true), (40, 60, false, true), (40, 61, false, false),
    ] {
      let metrics = AgreementMetrics([try .of(reference, sensor)])
      #expect(metrics.percentWithin15 == (is15 ? 100 : 0), "\(reference) \(sensor)")
      #expect(metrics.percentWithin20 == (is20 ? 100 : 0), "\(reference) \(sensor)")
    }
  }

  @Test("an invalid measurement does not make a pair")
  func noPair() {
    func pair(_ reference: Double, _ sensor: Double) -> GlucosePair? {
      GlucosePair(
        time: Instant(secondsSince1970: 0), reference: GlucoseConcentration(milligramsPerDecilitre: reference),
        sensor: GlucoseConcentration(milligramsPerDecilitre: sensor))
    }
    for (reference, sensor) in [
      (0.0, 100.0), (-5, 100), (.nan, 100), (.infinity, 100), (10_001, 100), (100, .nan), (100, -.infinity),
      (100, 10_001), (100, -10_001),
    ] { #expect(pair(reference, sensor) == nil, "\(reference) \(sensor)") }
    #expect(pair(0.1, -20) != nil && pair(10_000, 10_000) != nil)
    let hostile = [pair(1e-300, 10_000), pair(10_000, -10_000)].compactMap(\.self)
    let metrics = AgreementMetrics(hostile)
    #expect(hostile.count == 2 && metrics.mard?.isFinite == true && metrics.rmse?.isFinite == true)
  }
}
