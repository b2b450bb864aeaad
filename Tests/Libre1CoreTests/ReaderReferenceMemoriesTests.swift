// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

/// Real memories: the official reader's own values, and the plain second implementation.
@Suite(.enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"))
struct ReaderReferenceMemoriesTests {
  static let readable = ReferenceDumps.vectors.filter { $0.isReadable && $0.crc?.footer == true }

  private struct Scan {
    let series: SampleSeries
    let parameters: CalibrationParameters
    let decoded: DecodedMemory

    init(_ file: String) throws {
      let decoded = try Libre1Decoder.decode(ReferenceDumps.bytes(of: file))
      self.decoded = decoded
      series = SampleSeries(history: decoded.history.samples.map(\.raw), trend: decoded.trend.samples.map(\.raw))
      parameters = try #require(decoded.memory.calibrationParameters)
    }

    var values: SeriesValues { ReaderCalibration().values(of: series, parameters: parameters) }
    var byTheText: ReaderByTheText { ReaderByTheText(parameters: parameters) }
  }

  private static let index = Result { try JSONValue(parsing: ReferenceDumps.bytes(of: "INDEX.json")) }

  private static func official(_ file: String) throws -> JSONValue {
    let vector = try #require(try index.get()["vectors"].elements.first { $0["file"].text == file })
    return vector["expectedFromSource"]["officialAlgorithm"]
  }

  @Test("31 of 31 official history values of oop-always63 are equal; the contract omits the one that is flagged")
  func officialHistory() throws {
    let scan = try Scan("oop-always63.bin")
    let values = scan.values
    let records = ReaderRecord.inOrder(scan.series.history, thermistor: Thermistor(i6: scan.parameters.i6))
    let all = ReaderHistory(records, scan.parameters).values()
    var compared = 0
    for row in try Self.official("oop-always63.bin")["historicBg"].elements {
      let minute = try #require(row["time"].number.map { Int($0) })
      let official = try #require(row["bg"].number)
      let place = try #require(records.firstIndex { $0.minute == minute })
      if row["quality"].number == 1 {
        #expect(all[place].isNaN && values.history(minute) == nil && minute == 4_560)
        continue
      }
      compared += 1
      #expect(all[place].rounded() == official, "minute \(minute)")
      #expect(values.history(minute) == (minute == 4_395 ? nil : all[place]), "minute \(minute)")
    }
    #expect(compared == 31)
    #expect(values.history.count == 30)
  }

  @Test(
    "current value and rate are those in the state of Abbott's library, to nine decimals",
    arguments: [
      ("us14-1-decrypted.bin", 109.291_073_749_927_05, -0.182_415_759_174_123_06),
      ("oop-always63.bin", 63.167_152_809_551_42, 0.401_269_220_770_305_9),
    ])
  func exactCurrent(file: String, value: Double, rate: Double) throws {
    let scan = try Scan(file)
    let newest = try #require(scan.decoded.timeline.newestTrendMinute)
    let current = try #require(scan.values[.trend, newest])
    #expect(abs(current.milligramsPerDecilitre - value) < 1e-9)
    #expect(abs(try #require(current.ratePerMinute) - rate) < 1e-9)
  }

  @Test("the second implementation gives the same values for every real memory", arguments: readable)
  func byTheText(vector: ReferenceVector) throws {
    let scan = try Scan(vector.file)
    let difference = try #require(scan.values.largestDifference(from: scan.byTheText.values(of: scan.series)))
    #expect(difference < 1e-9)
  }

  @Test("the newest record of a scan is that of two minutes before or earlier, while the history runs")
  func newestRecord() throws {
    var running = 0
    for vector in Self.readable {
      let timeline = try Scan(vector.file).decoded.timeline
      guard let trend = timeline.newestTrendMinute, let history = timeline.newestHistoryMinute, history.value > 0
      else { continue }
      // A shut-down sensor's history ended with its life, its trend ran on.
      if trend.value - history.value > 700 { continue }
      running += 1
      #expect(history.value == (trend.value - 2) / 15 * 15, "\(vector.file)")
    }
    #expect(running >= 99)
  }

  @Test("merged scans of one sensor give the current value and rate of each single scan, and the same inner history")
  func merged() throws {
    var sensors: [[UInt8]: [Scan]] = [:]
    for vector in Self.readable where !vector.hasTornBody {
      let bytes = try ReferenceDumps.bytes(of: vector.file)
      sensors[Array(bytes[320..<344] + bytes[2...3]), default: []].append(try Scan(vector.file))
    }
    var currents = 0
    var inside = 0
    var worst = 0.0
    for scans in sensors.values where scans.count > 1 {
      let all = SampleSeries(history: scans.flatMap(\.series.history), trend: scans.flatMap(\.series.trend))
      let merged = ReaderCalibration().values(of: all, parameters: scans[0].parameters)
      for scan in scans {
        let alone = scan.values
        let newest = try #require(scan.decoded.timeline.newestTrendMinute)
        // The same to the last bit, also where there is none.
        #expect(merged[.trend, newest] == alone[.trend, newest])
        if alone[.trend, newest] != nil { currents += 1 }
        for sample in scan.series.history.dropFirst(5).dropLast(5) {
          #expect((alone[.history, sample.minute] == nil) == (merged[.history, sample.minute] == nil))
          guard let one = alone.history(sample.minute.value), let other = merged.history(sample.minute.value)
          else { continue }
          inside += 1
          worst = max(worst, abs(one - other))
        }
      }
      #expect(
        try #require(
          merged.largestDifference(
            from: ReaderByTheText(parameters: scans[0].parameters).values(of: all))) < 1e-9)
    }
    print("merged: \(currents) current values, \(inside) history values inside, worst \(worst) mg/dL")
    #expect(currents >= 40)
    #expect(inside >= 500)
    #expect(worst < 0.2)
  }
}
