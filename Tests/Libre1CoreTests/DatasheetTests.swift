// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct DatasheetTests {
  private func value(at offset: Int, in fixture: MemoryBuilder) throws -> String {
    let entry = try #require(Datasheet.entries.first { $0.bytes.contains(offset) })
    return entry.value(in: try fixture.fram())
  }

  @Test("the entries cover the 344 bytes in order, without gap or overlap, and all have names")
  func tiling() {
    var end = 0
    for entry in Datasheet.entries {
      #expect(entry.bytes.lowerBound == end)
      #expect(!entry.bytes.isEmpty)
      #expect(!entry.name.isEmpty)
      end = entry.bytes.upperBound
    }
    #expect(end == 344)
  }

  @Test("each offset of the format shows its own value")
  func values() throws {
    var fixture = MemoryBuilder(state: 5, age: 0x1234, trendIndex: 9, historyIndex: 27, maxLife: 20_630)
    fixture.setEndOfLife([(3, 20_630), (4, 21_350)])
    (fixture.bytes[318], fixture.bytes[323]) = (1, 4)
    fixture.seal()
    for (offset, part) in [
      (2, "i2 803"), (4, "shutdown"), (7, "left active at minute 20630"), (9, "left expired at minute 21350"),
      (26, "next slot to write: 9"), (27, "next slot to write: 27"), (316, "4660"), (318, "1"),
      (323, "australia_canada"), (326, "20630"), (330, "150"), (332, "90"), (336, "i3 18, i4 6931, i5 8804, i6 6536"),
    ] {
      let shown = try value(at: offset, in: fixture)
      #expect([26, 27, 318, 323, 336].contains(offset) ? shown == part : shown.contains(part), "byte \(offset)")
    }
    // The position of the log contains a failure code in state 6.
    var failed = MemoryBuilder(state: 6)
    failed.setEndOfLife([(0x0C, 4_000)])
    let shown = try value(at: 6, in: failed.sealed())
    #expect(shown.contains("code 12") && shown.contains("4000"))
  }

  @Test("a slot shows its record and the minute of the record")
  func slots() throws {
    var fixture = MemoryBuilder()
    // Minute 1000 is in trend slot 7 (70…75); history minute 990 = 66 · 15 in slot 1 (130…135).
    fixture.setTrend(minute: 1_000, [0xC2, 0x04, 0xC8, 0x78, 0xDA, 0x80])
    fixture.setHistory(minute: 990, MemoryBuilder.record(glucose: 0, errorField: 0x220, hasError: true))
    fixture.seal()
    for (offset, parts) in [
      (70, ["minute 1000", "1218", "6776", "-12"]), (130, ["minute 990", "rf_interference"]), (28, ["never written"]),
    ] {
      let shown = try value(at: offset, in: fixture)
      for part in parts { #expect(shown.contains(part), "\(shown)") }
      #expect(shown.contains("error") == (offset == 130))
    }
  }

  @Test("an invalid checksum shows both numbers")
  func checksums() throws {
    var fixture = MemoryBuilder().sealed()
    #expect(try value(at: 24, in: fixture).contains("correct"))
    fixture.setNumber(0x1F3A, at: 24)
    let shown = try value(at: 24, in: fixture)
    #expect(shown.contains("1F3A"))
    #expect(shown.contains(HexText.string(of: BitwiseCRC.checksum(fixture.bytes[26..<320]))))
    #expect(!shown.contains("correct"))
  }
}
