// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import TestSupport
import Testing

@testable import Libre1Core

/// The values that Abbott's LibreLink stored, each made from the same scan that is decoded here.
@Suite(.enabled(if: ReferenceDumps.areLaterPresent, "\(ReferenceDumps.absence)"))
struct OfficialValuesTests {
  private struct Scan {
    let name: String
    let official: JSONValue
    let series: SampleSeries
    let parameters: CalibrationParameters
    let newestTrendMinute: SensorMinute

    init(_ path: String, _ facts: JSONValue) throws {
      name = facts["file"].text ?? "?"
      official = facts["official"]
      let decoded = try Libre1Decoder.decode([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
      series = SampleSeries(history: decoded.history.samples.map(\.raw), trend: decoded.trend.samples.map(\.raw))
      parameters = try #require(decoded.memory.calibrationParameters)
      newestTrendMinute = try #require(decoded.timeline.newestTrendMinute)
    }

    var values: SeriesValues { ReaderCalibration().values(of: series, parameters: parameters) }
  }

  private static let scans = Result {
    try ReferenceDumps.entries().filter { $0.facts["official"] != .null }.map { try Scan($0.path, $0.facts) }
  }

  private func number(_ value: JSONValue) throws -> Int { Int(try #require(value.number)) }

  @Test("every history value that LibreLink made from a scan is equal, with LibreLink's rounding")
  func history() throws {
    var compared = 0
    for scan in try Self.scans.get() {
      let values = scan.values
      for row in scan.official["history"].elements {
        let minute = try number(row["minute"])
        let value = try #require(values.history(minute), "\(scan.name), minute \(minute)")
        #expect(Int(value.rounded()) == (try number(row["mgdl"])), "\(scan.name), minute \(minute): \(value)")
        compared += 1
      }
    }
    #expect(compared == 160)
  }

  @Test("every record that LibreLink stored as an error has no value")
  func errors() throws {
    var compared = 0
    for scan in try Self.scans.get() {
      for row in scan.official["historyErrors"].elements {
        let minute = try number(row["minute"])
        #expect(scan.values.history(minute) == nil, "\(scan.name), minute \(minute)")
        compared += 1
      }
    }
    #expect(compared == 6)
  }

  @Test("every current value is equal, and its rate matches the arrow that LibreLink showed")
  func current() throws {
    var compared = 0
    for scan in try Self.scans.get() {
      guard let official = scan.official["current"]["mgdl"].number else { continue }
      let value = try #require(scan.values[.trend, scan.newestTrendMinute], "\(scan.name)")
      #expect(value.milligramsPerDecilitre.rounded() == official, "\(scan.name): \(value)")
      // Arrow 3 is flat: less than 1 mg/dL a minute either way.
      #expect(try number(scan.official["current"]["trendArrow"]) == 3 && abs(try #require(value.ratePerMinute)) < 1)
      compared += 1
    }
    #expect(compared == 5)
  }

  @Test("a current value and its rate are those in the state that LibreLink stored, to nine decimals")
  func exactCurrent() throws {
    var compared = 0
    for scan in try Self.scans.get() where scan.official["currentExact"] != .null {
      let exact = scan.official["currentExact"]
      let current = try #require(scan.values[.trend, SensorMinute(try number(exact["minute"]))])
      #expect(abs(current.milligramsPerDecilitre - (try #require(exact["value"].number))) < 1e-9)
      #expect(abs(try #require(current.ratePerMinute) - (try #require(exact["rate"].number))) < 1e-9)
      compared += 1
    }
    #expect(compared == 1)
  }

  @Test("the US Libre 2 app 2.7.2 shows 3.9 to 6.3 mg/dL more than this model, in each of 31 values")
  func knownDifference() throws {
    var differences: [Double] = []
    var fit: [Double] = []
    for scan in try Self.scans.get() {
      let values = scan.values
      let app = USLibre2App.history(of: scan.series, parameters: scan.parameters)
      for row in scan.official["history_float32"].elements {
        let minute = try number(row.elements[0])
        let official = try #require(row.elements[1].number)
        differences.append(official - (try #require(values.history(minute), "minute \(minute)")))
        fit.append(official - (try #require(app[SensorMinute(minute)], "minute \(minute)")))
      }
    }
    #expect(differences.count == 31)
    #expect(differences.allSatisfy { (3.86...6.26).contains($0) }, "\(differences.sorted())")
    #expect(fit.allSatisfy { abs($0) < USLibre2App.precision }, "\(fit.map(abs).max() ?? 0)")
  }

  @Test("the three values of a sensor that is four and a half hours old differ by at most half a mg/dL")
  func young() throws {
    var found: [Double] = []
    for scan in try Self.scans.get() {
      for row in scan.official["values"].elements {
        let minute = try number(row["minute"])
        let trend = try row["trend"].elements.map { record in
          let fields = try record.elements.map(number)
          return RawSample(
            ring: .trend, minute: SensorMinute(fields[0]), glucose: UInt16(fields[1]), temperature: UInt16(fields[2]),
            temperatureAdjustment: Int16(fields[3]), hasError: false, errorField: 0, isNeverWritten: false)
        }
        let series = SampleSeries(history: scan.series.history, trend: trend)
        let value = try #require(
          ReaderCalibration().values(of: series, parameters: scan.parameters).trend(minute), "minute \(minute)")
        #expect(abs(value - (try #require(row["mgdl"].number))) <= 0.5)
        found.append((value * 100).rounded() / 100)
      }
    }
    #expect(found == [59.6, 59.59, 59.5])
  }
}
