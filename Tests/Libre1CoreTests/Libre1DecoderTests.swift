// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct Libre1DecoderTests {
  /// Age 55 with both records that Libre1Core/Calibration, "Worked examples" and Libre1Core/Calibration, "Worked
  /// examples" give values for.
  private func fixture() -> MemoryBuilder {
    var fixture = MemoryBuilder(age: 55, trendIndex: 6, historyIndex: 3, maxLife: 20_630)
    fixture.setTrend(minute: 54, [0xC2, 0x04, 0xC8, 0x78, 0xDA, 0x80])
    fixture.setHistory(minute: 45, [0x27, 0x05, 0xC8, 0x98, 0x99, 0x80])
    return fixture.sealed()
  }

  @Test("records A and B of the worked examples in Calibration are decoded from bytes to values, in their minutes")
  func wholeLine() throws {
    let decoded = try Libre1Decoder.decode(fixture().bytes)
    for (newestSample, newest, glucose, celsius, milligrams) in [
      (decoded.trend[0], decoded.timeline.newestTrendMinute, 1_218, 31.281_680, 102.480_832),
      (decoded.history[0], decoded.timeline.newestHistoryMinute, 1_319, 32.030_062, 108.371_920),
    ] {
      let sample = try #require(newestSample)
      #expect(sample.minute == newest && Int(sample.raw.glucose) == glucose && sample.raw.errorField == 800)
      #expect(abs(try #require(sample.concentration).milligramsPerDecilitre - milligrams) < 0.000_000_6)
      #expect(abs(try #require(sample.temperatureCelsius) - celsius) < 0.000_000_6)
      #expect(sample.quality == .warmUp && sample.time == nil)
    }
    #expect(decoded.timeline.newestTrendMinute?.value == 54 && decoded.timeline.newestHistoryMinute?.value == 45)
    #expect(decoded.current == nil && decoded.problems.isEmpty)
  }

  @Test("neither state nor age removes a value", arguments: UInt8(1)...6)
  func everyState(state: UInt8) throws {
    for age in [1_000, 20_700, 21_420] {
      var fixture = MemoryBuilder(
        state: state, age: age, trendIndex: age % 16, historyIndex: min(age, 20_700) / 15 % 32)
      fixture.setTrend(minute: age, [0xC2, 0x04, 0xC8, 0x78, 0xDA, 0x80])
      fixture.setHistory(minute: min(age, 20_700) / 15 * 15, [0x27, 0x05, 0xC8, 0x98, 0x99, 0x80])
      let decoded = try fixture.sealed().decoded()
      for (sample, expected) in [(decoded.trend[0], 102.480_832), (decoded.history[0], 108.371_920)] {
        #expect(abs(try #require(sample?.concentration).milligramsPerDecilitre - expected) < 0.000_000_6)
      }
    }
  }

  @Test("a bad body is reported as such if at least one other region proves the layout")
  func badBodyWithOneRegion() {
    for region in [MemoryBuilder.Region.header, .footer] {
      var fixture = fixture()
      fixture.breakChecksum(of: .body)
      fixture.breakChecksum(of: region)
      #expect {
        try Libre1Decoder.decode(fixture.bytes)
      } throws: { error in
        guard case MemoryError.crcMismatch(.body, _, _) = error else { return false }
        return true
      }
    }
  }
}
