// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import GlucoseServer

/// Requests for glucose values: Nightscout's entries, and xDrip's list.
extension ClientRequest {
  static let entries: [ClientRequest] = [
    .init("xDrip+, Loop, GNOME, M5Stack, menu bars", "/api/v1/entries.json?count=10&rr=1767265570000", 2...10),
    .init("GNOME, menu bars", "/api/v1/entries.json?count=1&token=x", 1...1),
    .init("xDrip+", "/api/v1/entries.json?count=2880&find[date][$gt]=\(day)&rr=1767265570000", 2...2_880),
    .init("Garmin", "/api/v1/entries.json?count=90&find%5Bdate%5D%5B%24gt%5D=\(day)", 2...90),
    .init(
      "Nightguard", "/api/v1/entries.json?find[date][$gt]=\(day).0&find[date][$lte]=1767265570000.0&count=1440&token=x",
      90...110),
    .init(
      "Strimma", "/api/v1/entries.json?find[date][$gt]=\(day)&count=2016&find[date][$lt]=1767265570000", 2...2_016),
    .init("Raycast", "/api/v1/entries.json?find[date][$gte]=\(day)&count=2500&token=x", 2...2_500),
    .init("Raycast", "/api/v1/entries.json?find[date][$gt]=1767265500000&count=100&token=x", 0...0),
    .init(
      "Nightscout Reporter",
      "/api/v1/entries.json?find[date][$gte]=\(day)&find[date][$lte]=1767265570000&count=100000&token=x", 2...100_000),
    .init("LoopFollow", "/api/v1/entries.json?count=600&find[date][$gte]=\(day)&find[type][$ne]=cal&token=x", 2...600),
    .init("M5Stack", "/api/v1/entries.json?find[type][$eq]=sgv&count=10&token=x", 2...10),
    .init("Scoutnight", "/api/v1/entries.json?find[type]=sgv&find[date][$gte]=\(day)&count=26000&token=x", 2...26_000),
    .init("Scoutnight", "/api/v1/entries.json?find[type]=sgv&find[date][$gte]=\(day)}&count=26000&token=x", 2...26_000),
    .init(
      "nightscout-data-transfer",
      "/api/v1/entries.json?count=all&find[dateString][$lte]=2026-01-01&find[dateString][$gte]=2025-12-31", 97...97),
    .init(
      "Nightscout Menu Bar, Nightscout-Exporter, nightscout-librelink-up", "/api/v1/entries?count=60&token=", 2...60,
      headers: json),
    .init("Nightscout Menu Bar", "/api/v1/entries?count=60&token=x", headers: ["Accept": "*/*"]) { answer in
      let rows = answer.text.split(separator: "\r\n")
      return (2...60).contains(rows.count)
        && rows.allSatisfy { row in
          let cells = row.split(separator: "\t")
          return cells.count == 5 && Int(cells[1]) != nil && Int(cells[2]) != nil && cells[3].hasPrefix("\"")
        }
    },
    .init(
      "Loop, LoopCaregiver",
      "/api/v1/entries?find%5BdateString%5D%5B$gte%5D=2026-01-01T09:06:10Z&find%5BdateString%5D%5B$lte%5D=2026-01-01T11:06:10Z&count=24",
      2...24, headers: json),
    .init(
      "Ulanzi", "/api/v1/entries?find[date][$gt]=1767254700000&find[date][$lte]=1767265570000&count=30", 2...30,
      headers: json),
    .init("Shuggah", "/api/v1/entries/sgv.json", 2...10),
    .init("Home Assistant", "/api/v1/entries/sgv.json", 2...10, headers: ["Content-Type": "application/json"]),
    .init("xDrip4iOS", "/api/v1/entries/sgv.json?count=120&token=x", 2...120, headers: json),
    .init("rigs of oref0, nightscout-osx-menubar, scripts", "/api/v1/entries/sgv.json?count=576", 2...576),
    .init("Garmin", "/api/v1/entries/sgv.json?count=3/&token=x", 2...3),
    .init(
      "GlucoDataHandler, Urchin and T1000 for Pebble", "/api/v1/entries/sgv.json?find[date][$gt]=\(day)&count=1440",
      2...1_440),
    .init(
      "Trio", "/api/v1/entries/sgv.json?count=1600&find%5BdateString%5D%5B$gte%5D=2026-01-01T09:06:10.000Z", 2...1_600),
    .init("Spike", "/api/v1/entries/sgv.json?find[dateString][$gte]=\(day)&count=289", 2...289),
    .init(
      "nightscout-tray", "/api/v1/entries/sgv?find[date][$gte]=\(day)&find[date][$lte]=1767265570000&count=10000",
      2...10_000, headers: json),
    .init("widget-electron", "/api/v2/entries/sgv?count=10", 2...10, headers: json),
    .init("GlucoDataHandler, prompts", "/api/v1/entries/current.json?token=x", 1...1),
    .init("nightscout-tray", "/api/v1/entries/current?count=1", 1...1, headers: json),
    .init("Cinnamon", "/api/v1/entries/current", 1...1, headers: json),
    .init("Urchin and T1000 for Pebble", "/api/v1/entries/cal.json", 0...0),
    .init("Ulanzi", "/sgv.json?brief_mode=Y&count=30", 2...30),
    .init("DiaNight", "/sgv.json?brief_mode=Y", 2...24),
    .init("Bangle.js", "/sgv.json?brief_mode=Y&all_data=Y&count=26", 2...26, also: hint),
    .init("Glance for Fitbit", "/sgv.json?count=47&steps=5000&heart=61&all_data=true", 2...47, also: hint),
    .init(
      "Garmin", "/sgv.json?brief_mode=Y&count=18&all_data=Y&steps=5000&heart=61", 2...18,
      headers: ["Content-Type": "application/x-www-form-urlencoded"],
      also: ["0.steps_result": .exactly(.number(200)), "0.heart_result": .exactly(.number(200))]),
    .init(
      "rigs of oref0, FlashCGM and Sentinel for Fitbit", "/sgv.json?count=288", 2...288,
      also: ["0.type": .exactly(.string("sgv")), "*.dateString": .date]),
    .init("Garmin, scripts, glasses", "/sgv.json?count=1", 1...1),
    .init("readers of Juggluco in Python", "/sgv.json?count=288&interval=60", 17...288),
  ]

  private static let hint: KeyValuePairs<String, ExpectedKind> = ["0.units_hint": .exactly(.string("mgdl"))]
}
