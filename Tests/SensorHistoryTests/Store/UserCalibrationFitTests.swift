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
  private func fit(_ pairs: (Double, Double)...) -> UserCalibrationFit? {
    UserCalibrationFit(
      pairs.map { sensor, blood in
        UserCalibration.Point(
          time: LiteralMemory.readAt, factory: GlucoseConcentration(milligramsPerDecilitre: sensor),
          blood: GlucoseConcentration(milligramsPerDecilitre: blood))
      })
  }

  private func expect(_ fit: UserCalibrationFit?, _ slope: Double, _ intercept: Double, isClamped: Bool = false) {
    #expect(abs((fit?.slope ?? .nan) - slope) < 1e-9)
    #expect(abs((fit?.intercept ?? .nan) - intercept) < 1e-9)
    #expect(fit?.isClamped == isClamped)
  }

  @Test("no finger-stick gives no calibration")
  func nothing() { #expect(fit() == nil) }

  @Test("one finger-stick gives an offset and no slope")
  func one() {
    expect(fit((100, 130)), 1, 30)
    expect(fit((200, 180)), 1, -20)
  }

  @Test("two finger-sticks, and more within a narrow range, give the mean offset")
  func close() {
    expect(fit((100, 110), (129.9, 159.9)), 1, 20)
    expect(fit((100, 90), (100, 100), (100, 95)), 1, -5)
    expect(fit((100, 110), (200, 230)), 1, 20)
    expect(fit((100, 110), (130, 146), (169, 189)), 1, 46.0 / 3)
  }

  @Test("three or more over a range of 70 mg/dL give a slope by least squares")
  func slope() {
    // Computed by hand: means 150 and 160, sums 5000 and 5500.
    expect(fit((100, 107), (150, 156), (200, 217)), 1.1, -5)
    expect(fit((100, 110), (135, 152), (170, 194)), 1.2, -10)
  }

  @Test("the slope is limited to 0.7 to 1.3, and the offset is adapted to it")
  func slopeLimits() {
    expect(fit((100, 130), (150, 195), (200, 260)), 1.3, 0)
    expect(fit((100, 100), (150, 200), (200, 300)), 1.3, 5, isClamped: true)
    expect(fit((100, 70), (150, 105), (200, 140)), 0.7, 0)
    expect(fit((100, 100), (150, 105), (200, 110)), 0.7, 0, isClamped: true)
    // Blood values fall while sensor values rise.
    expect(fit((100, 140), (150, 115), (200, 90)), 0.7, 10, isClamped: true)
  }

  @Test("the offset is limited to 60 mg/dL in both directions")
  func offsetLimits() {
    expect(fit((100, 160)), 1, 60)
    expect(fit((100, 161)), 1, 60, isClamped: true)
    expect(fit((100, 40)), 1, -60)
    expect(fit((100, 30)), 1, -60, isClamped: true)
    expect(fit((100, 300), (150, 400), (200, 500)), 1.3, 60, isClamped: true)
  }

  @Test("an outlier is named; with two finger-sticks it is unknown which one is wrong")
  func outliers() {
    #expect(fit((100, 110), (120, 131), (140, 250))?.outliers.map(\.blood.milligramsPerDecilitre) == [250])
    #expect(fit((100, 110), (120, 131), (140, 165))?.outliers.isEmpty == true)
    #expect(fit((100, 110), (140, 250))?.outliers.isEmpty == true)
    // 40 of 400 mg/dL are within a meter's own error.
    #expect(fit((390, 400), (395, 405), (360, 410))?.outliers.isEmpty == true)
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
    let time = RememberedMemory.start.adding(minutes: minute)
    _ = try store.note(
      FingerStick(
        time: Instant(secondsSince1970: time.secondsSince1970 + second),
        concentration: GlucoseConcentration(milligramsPerDecilitre: blood)))
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
    let memory = RememberedMemory(age: 1_000).with {
      var literal = LiteralMemory()
      literal.bytes = $0.bytes
      for minute in 986...1_000 {
        literal.setTrend(
          minute: minute, LiteralMemory.record(glucose: 1_100, temperature: 6_552, hasError: true, errorField: 1))
      }
      $0.bytes = literal.bytes
    }
    _ = try other.remember(memory.reading(), calibration: .factory, zone: nil)
    let time = RememberedMemory.start.adding(minutes: 1_000)
    _ = try other.note(
      FingerStick(time: time, concentration: GlucoseConcentration(milligramsPerDecilitre: 100)))
    let (sensor, wear) = try other.chosenWear(of: nil, wear: nil)
    // The history's minute 990 is ten minutes away.
    #expect(try other.calibrationPoints(of: sensor, wear: wear).isEmpty)
    _ = try other.note(
      FingerStick(
        time: time.adding(minutes: -2), concentration: GlucoseConcentration(milligramsPerDecilitre: 101)))
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
