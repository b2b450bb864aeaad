// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Libre1Core

struct SensitivityTableTests {
  private let all = (1...1_023).compactMap { SensitivityTable.entry($0) }

  @Test("there are 1023 entries, for i2 from 1 to 1023 and no others")
  func range() {
    #expect(all.count == 64 * 8 + 23 * 9 + 29 * 8 + 8 * 9)
    #expect(SensitivityTable.count == 1_023)
    for outside in [0, -1, 1_024, Int.max, Int.min] { #expect(SensitivityTable.entry(outside) == nil) }
  }

  /// Rows of 8 or 9 entries; where a row ends the offset falls back to the band's first.
  @Test("rows have 8 or 9 entries and offsets in steps of 0.25, band by band")
  func rows() {
    var rows: [[(offset: Double, sensitivity: Double)]] = []
    for entry in all {
      if rows.last?.first?.sensitivity == entry.sensitivity {
        rows[rows.count - 1].append(entry)
      } else {
        rows.append([entry])
      }
    }
    #expect(rows.count == 124)
    for (number, row) in rows.enumerated() {
      let expected =
        switch number {
        case 0...63: (entries: 8, first: 0.75, last: 2.50)
        case 64...86: (entries: 9, first: 0.75, last: 2.75)
        case 87...115: (entries: 8, first: 1.00, last: 2.75)
        default: (entries: 9, first: 1.00, last: 3.00)
        }
      #expect(row.count == expected.entries, "row \(number)")
      #expect(row.first?.offset == expected.first, "row \(number)")
      #expect(row.last?.offset == expected.last, "row \(number)")
      for (before, after) in zip(row, row.dropFirst()) {
        #expect(after.offset - before.offset == 0.25, "row \(number)")
      }
    }
  }

  @Test("the rows are one number times the powers of 1.01, rounded to seven decimals")
  func growth() {
    var rows: [Double] = []
    for entry in all where rows.last != entry.sensitivity { rows.append(entry.sensitivity) }
    for (before, after) in zip(rows, rows.dropFirst()) {
      #expect(abs(after / before - 1.01) < 0.000_003, "\(before) → \(after)")
    }
    // Derived: each row allows its first row to lie within half a seventh decimal, and there is a first row that all 124
    // allow. One wrong digit anywhere leaves none.
    var lowest = 0.0
    var highest = Double.infinity
    var power = 1.0
    for row in rows {
      lowest = max(lowest, (row - 0.5e-7) / power)
      highest = min(highest, (row + 0.5e-7) / power)
      power *= 1.01
    }
    #expect(lowest < highest)
    #expect(lowest > 0.037_744_22 && highest < 0.037_744_23)
  }
}
