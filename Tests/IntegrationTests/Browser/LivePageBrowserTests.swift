// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing

/// The page of `libre serve` in Debian's Chromium. Pictures of what it showed are in `.build/live`, to be looked at.
@Suite(
  "The live page in a browser",
  .onOwnThreads, .startsProcesses,
  .enabled("chromium is not installed: apt-get install chromium") { Installed.has("/usr/bin/chromium") })
struct LivePageBrowserTests {
  private static let watcher = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("watch.py").path
  private static let minute = 60.0

  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test("fits every window size, shows a new value on an event, and reports a lost server and an old value")
  func watched() throws {
    // A sensor that was read ten minutes ago, and again now, so that every time is near to the present one.
    let sensor = SimulatedSensor(seed: 1)
    for (age, ago) in [(2_400, 460.0), (2_850, 10)] {
      let dump = try sandbox.write(sensor.image(atAge: age).hexDump, to: "\(age).hex")
      #expect(try sandbox.run("import", dump, "--read-at", moment(ago), "--store", "store.sqlite").status == 0)
    }
    let newest = try sandbox.write(sensor.image(atAge: 2_860).hexDump, to: "newest.hex")
    let pictures = Repository.root.appendingPathComponent(".build/live").path
    let watched = try sandbox.run(
      program: "/usr/bin/env",
      ["python3", Self.watcher, Sandbox.binary, "store.sqlite", newest, moment(0), pictures],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    try #require(watched.status == 0, "\(watched.errors)")
    let report = try watched.json()
    for view in report["views"].elements { expectSound(view) }
    #expect(report["views"].elements.count == 8)
    expectHappened(report["happenings"])
    #expect(report["span"]["current"].text == "24" && report["span"]["focus"]["name"].text == "Last 24 h")
  }

  private func moment(_ minutesAgo: Double) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: -minutesAgo * Self.minute))
  }

  private func expectSound(_ view: JSONValue) {
    let name = view["name"].text ?? "?"
    for list in [
      "console", "exceptions", "elsewhere", "policyViolations", "sticking", "cut", "overlaps", "weak", "doubleIds",
    ] {
      #expect(view[list].elements.isEmpty, "\(name), \(list): \(view[list])")
    }
    #expect(view["sections"].elements.allSatisfy { $0["visible"] == .bool(true) }, "\(name)")
    #expect(view["scrollsSideways"] == .bool(false) && view["headingsInOrder"] == .bool(true), "\(name)")
    #expect(view["namelessSVGs"] == .number(0), "\(name)")
    // Direction, change and the other unit: on one line where there is room, and nowhere broken within.
    let facts = view["facts"]
    #expect(facts["count"] == .number(3) && facts["broken"].elements.isEmpty, "\(name): \(facts)")
    #expect(name.hasPrefix("390") || facts["lines"] == .number(1), "\(name): \(facts)")
    let focus = view["focus"].elements
    // The lengths of the curve, the curve, the links and the button for tones, each with a name and seen to have the focus.
    #expect(focus.count == 9, "\(name): \(focus)")
    #expect(focus.allSatisfy { $0["name"].text?.isEmpty == false && $0["outline"] == .bool(true) }, "\(name): \(focus)")
    let rows = focus.compactMap(\.["y"].number)
    #expect(rows == rows.sorted(), "\(name): the focus jumps back, \(rows)")
  }

  private func expectHappened(_ happenings: JSONValue) {
    let (arrived, gone, old, back) = (
      happenings["arrived"], happenings["gone"], happenings["old"], happenings["back"]
    )
    for list in ["console", "exceptions", "elsewhere"] {
      #expect(happenings[list].elements.isEmpty, "\(list): \(happenings[list])")
    }
    #expect(arrived["time"] != happenings["before"]["time"] && arrived["banner"] == .null)
    #expect(gone["banner"].text?.contains("has not answered since") == true)
    #expect(gone["live"].text?.contains("does not answer") == true)
    #expect(gone["isOld"] == .bool(false) && gone["value"] == arrived["value"])
    #expect(old["isOldTextShown"] == .bool(true) && old["title"].text?.hasPrefix("⚠ old: ") == true)
    #expect(old["age"].text?.contains(" h ") == true)
    #expect(back["isOldTextShown"] == .bool(false) && back["live"].text?.hasPrefix("Glucose ") == true)
    let alert = happenings["alert"]
    #expect(alert["isShown"] == .bool(true) && alert["role"] == .string("alert"))
    #expect(alert["title"].text?.hasPrefix("⚠ ") == true, "\(alert)")
    #expect(alert["text"].text?.hasPrefix("Glucose is high ") == true, "\(alert)")
    #expect(alert["tones"].number ?? 0 >= 2 && alert["isButtonGone"] == .bool(true), "\(alert)")
    #expect(alert["notes"][0][0] == .string("Glucose is high"), "\(alert)")
    #expect(alert["sounding"].text?.contains("shows them as notifications") == true, "\(alert)")
    #expect(happenings["isSamePage"] == .bool(true))
  }
}
