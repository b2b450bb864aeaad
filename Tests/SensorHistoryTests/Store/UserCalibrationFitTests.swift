// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore
import StoreTestSupport
import TestSupport
import Testing

@testable import SensorHistory

@Suite("Slope and offset from finger-sticks") struct UserCalibrationFitTests {
  /// Returns the fit of pairs of sensor and blood values, in mg/dL.
  private func fit(_ pairs: [(Double, Double)]) -> UserCalibrationFit? {
    UserCalibrationFit(
      pairs.map { sensor, blood in
        UserCalibration.Point(
          time: LiteralMemory.readAt, factory: GlucoseConcentration(milligramsPerDecilitre: sensor),
          blood: GlucoseConcentration(milligramsPerDecilitre: blood))
      })
  }

  @Test("slope and offset follow the pairs within their limits, and no finger-stick gives no calibration")
  func values() throws {
    #expect(fit([]) == nil)
    for (pairs, slope, intercept, isClamped, words) in [
      ([(100, 130)], 1, 30, false, "one finger-stick gives an offset and no slope"),
      ([(200, 180)], 1, -20, false, ""),
      ([(100, 110), (129.9, 159.9)], 1, 20, false, "two, and more within a narrow range, give the mean offset"),
      ([(100, 90), (100, 100), (100, 95)], 1, -5, false, ""), ([(100, 110), (200, 230)], 1, 20, false, ""),
      ([(100, 110), (130, 146), (169, 189)], 1, 46.0 / 3, false, ""),
      // Computed by hand: means 150 and 160, sums 5000 and 5500.
      ([(100, 107), (150, 156), (200, 217)], 1.1, -5, false, "three over a range of 70 mg/dL give least squares"),
      ([(100, 110), (135, 152), (170, 194)], 1.2, -10, false, ""),
      ([(100, 130), (150, 195), (200, 260)], 1.3, 0, false, "the slope is limited, and the offset adapted to it"),
      ([(100, 100), (150, 200), (200, 300)], 1.3, 5, true, ""),
      ([(100, 70), (150, 105), (200, 140)], 0.7, 0, false, ""),
      ([(100, 100), (150, 105), (200, 110)], 0.7, 0, true, ""),
      ([(100, 140), (150, 115), (200, 90)], 0.7, 10, true, "blood values fall while sensor values rise"),
      ([(100, 160)], 1, 60, false, "the offset is limited to 60 mg/dL in both directions"),
      ([(100, 161)], 1, 60, true, ""), ([(100, 40)], 1, -60, false, ""), ([(100, 30)], 1, -60, true, ""),
      ([(100, 300), (150, 400), (200, 500)], 1.3, 60, true, ""),
    ] as [([(Double, Double)], Double, Double, Bool, Comment)] {
      let found = try #require(fit(pairs))
      #expect(abs(found.slope - slope) < 1e-9 && abs(found.intercept - intercept) < 1e-9, words)
      #expect(found.isClamped == isClamped, words)
    }
  }

  @Test("an outlier is named; with two finger-sticks it is unknown which one is wrong")
  func outliers() {
    for (pairs, outliers) in [
      ([(100, 110), (120, 131), (140, 250)], [250]), ([(100, 110), (120, 131), (140, 165)], []),
      ([(100, 110), (140, 250)], []),
      // 40 of 400 mg/dL are within a meter's own error.
      ([(390, 400), (395, 405), (360, 410)], []),
    ] as [([(Double, Double)], [Double])] {
      #expect(fit(pairs)?.outliers.map(\.blood.milligramsPerDecilitre) == outliers)
    }
  }
}

@Suite("Finger-sticks that calibrate a sensor") struct CalibrationPointsTests {
  private let store: SensorStore

  /// A sensor read at its minute 1000: the trend goes back to 985, the history to 525.
  init() throws {
    store = try StoreFile.openInMemory()
    try remember(RememberedMemory(age: 1_000))
  }

  private func remember(_ memory: RememberedMemory) throws {
    _ = try store.remember(memory.reading(), calibration: .factory, zone: nil)
  }

  private func prick(_ blood: Double, minute: Int, second: Int64 = 0) throws {
    let time = RememberedMemory.start.secondsSince1970 + Int64(minute) * 60 + second
    _ = try store.note(FingerStick(blood, at: Instant(secondsSince1970: time)))
  }

  private func points(wear: Int = 1) throws -> [UserCalibration.Point] {
    try store.calibrationPoints(of: try store.chosenWear(of: nil, wear: wear).sensor, wear: wear)
  }

  private func factory(_ minute: Int, _ ring: SampleRing = .trend) throws -> GlucoseConcentration {
    let found = try store.timeline().first { $0.sample.ring == ring && $0.sample.minute.value == minute }
    return try #require(found?.sample.concentration)
  }

  @Test("each finger-stick is paired with the value of the nearest minute")
  func nearest() throws {
    try prick(110, minute: 995, second: 20)
    try prick(120, minute: 712)
    try prick(130, minute: 713)
    let points = try points()
    #expect(points.map(\.blood.milligramsPerDecilitre) == [120, 130, 110])
    // The history has minutes 705 and 720.
    #expect(try points.map(\.factory) == [factory(705, .history), factory(720, .history), factory(995)])
    #expect(points.first?.time == RememberedMemory.start.adding(minutes: 712))
  }

  @Test("that value is at most eight minutes away, before or after")
  func reach() throws {
    for minute in [516, 1_009] { try prick(100, minute: minute) }
    #expect(try points().isEmpty)
    for minute in [517, 1_008] { try prick(100, minute: minute) }
    #expect(try points().map(\.factory) == [factory(525, .history), factory(1_000)])
  }

  @Test("a flagged value is not used for comparison")
  func flagged() throws {
    let other = try StoreFile.openInMemory()
    let flagged = LiteralMemory.record(glucose: 1_100, temperature: 6_552, hasError: true, errorField: 1)
    let memory = RememberedMemory(age: 1_000).edited { memory in
      for minute in 986...1_000 { memory.setTrend(minute: minute, flagged) }
    }
    _ = try other.remember(memory.reading(), calibration: .factory, zone: nil)
    let time = RememberedMemory.start.adding(minutes: 1_000)
    _ = try other.note(FingerStick(100, at: time))
    let (sensor, wear) = try other.chosenWear(of: nil, wear: nil)
    // The history's minute 990 is ten minutes away.
    #expect(try other.calibrationPoints(of: sensor, wear: wear).isEmpty)
    _ = try other.note(FingerStick(101, at: time.adding(minutes: -2)))
    #expect(try other.calibrationPoints(of: sensor, wear: wear).map(\.blood.milligramsPerDecilitre) == [101])
  }

  @Test("a finger-stick taken during another wear calibrates that wear")
  func wears() throws {
    try remember(RememberedMemory(age: 300).with { $0.readAt = $0.readAt?.adding(minutes: 9_000) })
    try prick(100, minute: 995)
    try prick(200, minute: 9_295)
    #expect(try points(wear: 1).map(\.blood.milligramsPerDecilitre) == [100])
    #expect(try points(wear: 2).map(\.blood.milligramsPerDecilitre) == [200])
  }
}
