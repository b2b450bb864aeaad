// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// A row of `sample`: its columns, listed once for reading and writing.
struct SampleRow: Hashable {
  var raw: RawSample
  var quality: SampleQuality
  var temperatureCelsius: Double?
  var milligramsPerDecilitre: Double?
  /// Row of `calibration`; nil without a value.
  var calibration: Int?
  var isSalvaged: Bool

  /// Makes a row with the sample's value; `SampleWriter` sets the calibration.
  init(_ sample: GlucoseSample, isSalvaged: Bool) {
    raw = sample.raw
    // Whatever decoded it: an error has no value.
    let hasError = sample.raw.hasError
    quality = hasError ? .error : sample.quality
    temperatureCelsius = sample.temperatureCelsius?.ifPossible(PossibleValues.celsius)
    milligramsPerDecilitre =
      hasError ? nil : sample.concentration?.milligramsPerDecilitre.ifPossible(PossibleValues.modelled)
    self.isSalvaged = isSalvaged
  }

  /// The first seven columns: the counts and their minute.
  static let rawColumns = "ring, minute, glucose, temperature, temperature_adjustment, has_error, error_field"

  /// All columns except wear and change, which stand before and after.
  static let columns = "\(rawColumns), quality, temperature_c, glucose_mg_dl, calibration, is_salvaged"

  /// Column names with their table, for queries over several tables.
  static func qualified(_ table: (String) -> String = { _ in "sample" }) -> String {
    columns.split(separator: ",").map {
      let name = String($0.filter { !$0.isWhitespace })
      return "\(table(name)).\(name)"
    }.joined(separator: ", ")
  }

  /// SQL condition for a row whose value may be counted, sent and shown, as `GlucoseSample.usableConcentration`.
  static let isUsable = "sample.quality = 'ok' AND \(PossibleValues.isGlucose("sample.glucose_mg_dl"))"

  /// SQL condition for a row with the wear `?1` and the counts bound from 2 on.
  static let isSame = """
    wear = ?1 AND ring = ?2 AND minute = ?3 AND glucose = ?4 AND temperature = ?5 AND temperature_adjustment = ?6
      AND has_error = ?7 AND error_field = ?8
    """

  static let find = "SELECT \(columns) FROM sample WHERE wear = ? AND ring = ? AND minute = ?"

  static func key(of raw: RawSample, wear: Int) -> [SQLiteValue] {
    [.integer(wear), .integer(number(raw.ring)), .integer(raw.minute.value)]
  }

  static func found(of raw: RawSample, wear: Int, by find: StoreStatement) throws(StoreError) -> SampleRow? {
    find.bind(wear, at: 1)
    find.bind(number(raw.ring), at: 2)
    find.bind(raw.minute.value, at: 3)
    defer { find.reset() }
    return try find.step() ? SampleRow(find) : nil
  }

  static let count: Int32 = 12

  init(_ row: StoreStatement, first: Int32 = 0) {
    raw = Self.raw(row, first: first)
    quality = raw.hasError ? .error : row.textOrNil(first + 7).flatMap(SampleQuality.init) ?? .error
    temperatureCelsius = row.realOrNil(first + 8)?.ifPossible(PossibleValues.celsius)
    milligramsPerDecilitre = raw.hasError ? nil : row.realOrNil(first + 9)?.ifPossible(PossibleValues.modelled)
    calibration = row.integerOrNil(first + 10)
    isSalvaged = row.integer(first + 11) != 0
  }

  static func raw(_ row: StoreStatement, first: Int32) -> RawSample {
    RawSample(
      ring: ring(row.integer(first)), minute: SensorMinute(row.minutes(first + 1)),
      glucose: UInt16(clamping: row.integer(first + 2)), temperature: UInt16(clamping: row.integer(first + 3)),
      temperatureAdjustment: Int16(clamping: row.integer(first + 4)), hasError: row.integer(first + 5) != 0,
      errorField: UInt16(clamping: row.integer(first + 6)), isNeverWritten: false)
  }

  func bind(to statement: StoreStatement, first: Int32) {
    Self.bind(raw, to: statement, first: first)
    statement.bind(.text(quality.rawValue), at: first + 7)
    statement.bind(temperatureCelsius, at: first + 8)
    statement.bind(milligramsPerDecilitre, at: first + 9)
    statement.bind(.integer(calibration), at: first + 10)
    statement.bind(isSalvaged ? 1 : 0, at: first + 11)
  }

  static func bind(_ raw: RawSample, to statement: StoreStatement, first: Int32) {
    statement.bind(number(raw.ring), at: first)
    statement.bind(raw.minute.value, at: first + 1)
    statement.bind(Int(raw.glucose), at: first + 2)
    statement.bind(Int(raw.temperature), at: first + 3)
    statement.bind(Int(raw.temperatureAdjustment), at: first + 4)
    statement.bind(raw.hasError ? 1 : 0, at: first + 5)
    statement.bind(.integer(raw.errorField.map(Int.init)), at: first + 6)
  }

  var sample: GlucoseSample {
    GlucoseSample(
      raw: raw, temperatureCelsius: temperatureCelsius,
      concentration: milligramsPerDecilitre.map(GlucoseConcentration.init(milligramsPerDecilitre:)),
      quality: quality)
  }

  static func number(_ ring: SampleRing) -> Int {
    switch ring {
    case .history: 0
    case .trend: 1
    }
  }

  static func numbers(_ rings: Set<SampleRing>) -> String {
    rings.map { String(number($0)) }.sorted().joined(separator: ", ")
  }

  static func ring(_ number: Int) -> SampleRing { number == 0 ? .history : .trend }
}
