// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import TestSupport
import TextFormats

@testable import Libre1Core
@testable import LibreDocuments
@testable import LibreKit
@testable import SensorHistory

/// What holds for any reading, however it came: its samples are of the sensor's life, its document is JSON that has all of
/// them, and another calibration changes values only.
enum ReadingOracle {
  /// What a memory that came from nowhere in particular is read as.
  static func reading(of image: MemoryImage, salvaging: Bool) throws(LibreError) -> SensorReading {
    let source = ReadingSource(
      tool: Program.tool, path: nil, format: nil, dump: nil, sha256: String(repeating: "0", count: 64))
    return try DumpReading(memory: CheckedMemory(image), readAtSource: .unknown, source: source)
      .reading(calibration: .factory, salvaging: salvaging)
  }

  static func life(_ reading: SensorReading) throws(OracleFailure) {
    for samples in [reading.trend, reading.history] {
      try DecodedMemoryOracle.life(samples, age: reading.sensor.ageMinutes)
    }
  }

  static func check(_ reading: SensorReading) throws(OracleFailure) {
    try life(reading)
    try isWritten(reading, .millimolesPerLitre)
    for recalibrated in [
      reading.recalibrated(by: ReaderCalibration()),
      reading.corrected(
        by: UserCalibration(slope: 1.25, intercept: -12, points: [], madeAt: .init(secondsSince1970: 0))),
    ] {
      try require(
        recalibrated.samples.map(\.raw) == reading.samples.map(\.raw)
          && recalibrated.samples.map(\.quality) == reading.samples.map(\.quality), "a model changes values only")
      try life(recalibrated)
      for sample in recalibrated.samples where sample.concentration != nil {
        try require(sample.temperatureCelsius.map { $0 >= 0 && $0 <= 50 } ?? true, "a value outside 0…50 °C")
      }
      try isWritten(recalibrated, .milligramsPerDecilitre)
    }
  }

  private static func isWritten(_ reading: SensorReading, _ unit: GlucoseUnit) throws(OracleFailure) {
    var json = JSONWriter(indented: false)
    ReadingJSON.write(reading, unit: unit, to: &json)
    let document = try require(try? JSONValue(parsing: json.bytes), "invalid JSON")
    let counts = [document["history"].elements.count, document["trend"].elements.count]
    try require(counts == [reading.history.count, reading.trend.count], "\(counts) samples in the document")
  }
}
