// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct DecodedMemoryTests {
  @Test("an untrusted region is a problem with its verdict, an undocumented state one with its byte")
  func regions() throws {
    for state in [UInt8(0), 7, 255] {
      #expect(try MemoryBuilder(state: state).sealed().decoded().problems == [.unknownState(state)])
    }
    var header = MemoryBuilder().sealed()
    header.breakChecksum(of: .header)
    #expect(try header.decoded().problems == [.headerNotTrusted(try header.fram().integrity.header)])
    var footer = MemoryBuilder().sealed()
    footer.missingBlocks = [42]
    #expect(try footer.decoded().problems == [.footerNotTrusted(.absent(BlockSet([42])))])
  }

  @Test("a history without dates is a problem, and empty")
  func undatedHistory() throws {
    var fixture = MemoryBuilder(state: 5, age: 21_420, trendIndex: 12, historyIndex: 4).sealed()
    fixture.breakChecksum(of: .footer)
    let decoded = try fixture.decoded()
    #expect(decoded.problems.contains(.historyUndated))
    #expect(decoded.history.samples.isEmpty)
    #expect(decoded.trend.samples.count == 16)
  }

  @Test("parameters without a solution are a problem, and no value is given")
  func impossibleCalibration() throws {
    var fixture = MemoryBuilder()
    fixture.setTrend(minute: 1_000, MemoryBuilder.record(glucose: 1_300))
    for (i2, i3, fault) in [(0, 18, CalibrationFault.i2IsZero), (803, 200, .i3EqualsI4)] {
      fixture.setTableIndex(i1: 0, i2: i2)
      fixture.setCalibration(i3: i3, i4: 200, i5: 0, i6: 6_536)
      let decoded = try fixture.sealed().decoded()
      #expect(decoded.problems == [.calibrationImpossible(fault)] && decoded.trend[0]?.concentration == nil)
    }
  }

  @Test("of several problems the one that makes the samples doubtful comes first")
  func order() throws {
    var fixture = MemoryBuilder(state: 5, age: 21_420, trendIndex: 12, historyIndex: 4).sealed()
    for region in MemoryBuilder.Region.allCases { fixture.breakChecksum(of: region) }
    let integrity = try fixture.fram().integrity
    #expect(
      try fixture.decoded(salvaging: true).problems == [
        .salvaged, .headerNotTrusted(integrity.header), .footerNotTrusted(integrity.footer), .historyUndated,
      ])
  }
}
