// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct DecodedMemoryTests {
  @Test("an untrusted region is a problem with its verdict")
  func regions() throws {
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
    fixture.setTableIndex(i1: 0, i2: 0)
    #expect(try fixture.sealed().decoded().problems == [.calibrationImpossible(.i2IsZero)])
    #expect(try fixture.sealed().decoded().trend[0]?.concentration == nil)
    fixture.setTableIndex(i1: 0, i2: 803)
    fixture.setCalibration(i3: 200, i4: 200, i5: 0, i6: 6_536)
    #expect(try fixture.sealed().decoded().problems == [.calibrationImpossible(.i3EqualsI4)])
    #expect(try fixture.sealed().decoded().trend[0]?.concentration == nil)
  }

  @Test("an undocumented state is a problem with its byte", arguments: [UInt8(0), 7, 255])
  func unknownState(state: UInt8) throws {
    #expect(try MemoryBuilder(state: state).sealed().decoded().problems == [.unknownState(state)])
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
