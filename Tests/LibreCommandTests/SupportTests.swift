// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import TestSupport
import Testing

/// The page on what is supported, and what README says of it.
struct SupportTests {
  @Test(
    "the page has each sensor, reader, format, meter, bridge, program and sink, as the command's tables have it"
  )
  func page() throws {
    let page = try SupportTable.text(of: SupportTable.page)
    let made = try SupportTable.all().reduce(page) { try $1.placed(in: $0) }
    guard made != page else { return }
    let copy = Repository.root.appendingPathComponent(".build/WhatIsSupported.md")
    try Data(made.utf8).write(to: copy)
    Issue.record(
      "the page is not what the tables say; see what has changed, and cp \(copy.path) \(SupportTable.page.path)")
  }

  @Test("each row says on what it rests, in one of the words that the page explains")
  func basis() throws {
    let page = try SupportTable.text(of: SupportTable.page)
    let words = try SupportTable.rows(below: "Overview", of: page).map(\.[0]).map { $0.replacing("*", with: "") }
    #expect(words.count > 3)
    for table in try SupportTable.all() {
      for row in try SupportTable.rows(below: table.heading, of: page) {
        #expect(row.count == table.columns.count && !row.contains(""), "\(table.heading): \(row)")
        #expect(words.contains { row.last?.hasPrefix("\($0): ") == true }, "\(table.heading): \(row)")
      }
    }
    // A sensor is said to be readable only if its memory is.
    let sensors = try SupportTable.rows(below: "Sensors", of: page)
    for (family, row) in zip(SensorFamily.allCases, sensors) {
      #expect(row[0] == family.productName && row[2].hasPrefix("yes") == family.isReadable, "\(row)")
      #expect(row[3].hasPrefix("yes, untested") == family.isReadable, "\(row)")
    }
  }

  @Test(
    "a sensor rests on as many real memories as the page says",
    .enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"))
  func memories() throws {
    let plain = ReferenceDumps.vectors.filter { !$0.isEncrypted }
    let rows = try SupportTable.rows(below: "Sensors", of: try SupportTable.text(of: SupportTable.page))
    let kinds: [(SensorFamily, String)] = [
      (.libre1, "libre1"), (.libreUS14Day, "libreUS14day"), (.librePro, "librePro"), (.libre2, "libre2 (already"),
      (.libre2Generation2, "libre2 Gen2"),
    ]
    for (family, kind) in kinds {
      let row = try #require(rows.first { $0[0] == family.productName })
      let count = plain.count { $0.kind.hasPrefix(kind) }
      #expect(row[4].hasPrefix("real: \(count) public memor"), "\(count): \(row)")
    }
  }

  @Test("README has the sensors and the readers of the page, word for word")
  func readme() throws {
    let readme = try SupportTable.text(of: Repository.root.appendingPathComponent("README.md"))
    let page = try SupportTable.text(of: SupportTable.page)
    let sensors = try SupportTable.rows(below: SupportTable.sensors.heading, of: page)
    #expect(try SupportTable.rows(below: "Does it read yours?", of: readme) == sensors.map { Array($0.dropLast()) })
    for line in SupportTable.readersInShort { #expect(readme.contains("\(line)\n"), "README lacks the line: \(line)") }
  }
}
