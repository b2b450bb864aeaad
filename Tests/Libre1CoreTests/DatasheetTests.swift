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
    fixture.bytes[318] = 1
    fixture.bytes[323] = 4
    fixture.seal()
    #expect(try value(at: 2, in: fixture).contains("i2 803"))
    #expect(try value(at: 4, in: fixture).contains("shutdown"))
    #expect(try value(at: 7, in: fixture).contains("left active at minute 20630"))
    #expect(try value(at: 9, in: fixture).contains("left expired at minute 21350"))
    #expect(try value(at: 26, in: fixture) == "next slot to write: 9")
    #expect(try value(at: 27, in: fixture) == "next slot to write: 27")
    #expect(try value(at: 316, in: fixture).contains("4660"))
    #expect(try value(at: 318, in: fixture) == "1")
    #expect(try value(at: 323, in: fixture) == "australia_canada")
    #expect(try value(at: 326, in: fixture).contains("20630"))
    #expect(try value(at: 330, in: fixture).contains("150"))
    #expect(try value(at: 332, in: fixture).contains("90"))
    #expect(try value(at: 336, in: fixture) == "i3 18, i4 6931, i5 8804, i6 6536")
  }

  @Test("a slot shows its record and the minute of the record")
  func slots() throws {
    var fixture = MemoryBuilder()
    // Minute 1000 is in trend slot 7 (70…75); history minute 990 = 66 · 15 in slot 1 (130…135).
    fixture.setTrend(minute: 1_000, [0xC2, 0x04, 0xC8, 0x78, 0xDA, 0x80])
    fixture.setHistory(minute: 990, MemoryBuilder.record(glucose: 0, errorField: 0x220, hasError: true))
    fixture.seal()
    let trend = try value(at: 70, in: fixture)
    #expect(trend.contains("minute 1000"))
    #expect(trend.contains("1218") && trend.contains("6776") && trend.contains("-12"))
    #expect(!trend.contains("error"))
    let history = try value(at: 130, in: fixture)
    #expect(history.contains("minute 990"))
    #expect(history.contains("rf_interference"))
    #expect(try value(at: 28, in: fixture).contains("never written"))
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

  @Test("in state 6 the position of the log contains a failure code")
  func failure() throws {
    var fixture = MemoryBuilder(state: 6)
    fixture.setEndOfLife([(0x0C, 4_000)])
    let shown = try value(at: 6, in: fixture.sealed())
    #expect(shown.contains("code 12"))
    #expect(shown.contains("4000"))
  }
}
