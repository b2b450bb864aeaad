// SPDX-License-Identifier: Apache-2.0
import Foundation
import HostSystem
import TestSupport
import Testing

@Suite("Commands that maintain the store and its sensors") struct StoreMaintenanceCommandTests {
  private let sandbox = Sandbox.new(["active.hex": "dump.hex"])

  private func run(_ arguments: String...) throws -> Outcome {
    try sandbox.run(arguments + ["--store", "store.sqlite"])
  }

  private func importDump(into store: String = "store.sqlite") throws {
    try ImportedStore.copy(to: store, in: sandbox)
  }

  private func samples(_ arguments: String..., store: String = "store.sqlite") throws -> [JSONValue] {
    try sandbox.run(["history", "--from", "all", "--ndjson", "--store", store] + arguments).ndjson()
  }

  private func serial() throws -> String {
    try #require(try run("sensors", "--json").json()["sensors"].elements.first?["serial"].text)
  }

  // MARK: calibrate

  /// Adds a finger-stick of so much more than the newest usable value, at its time.
  private func addFingerStick(above difference: Int) throws {
    let newest = try #require(try samples("--ring", "trend").first { $0["quality"] == .string("ok") })
    let blood = Int(try #require(newest["glucose_mg_dl"].number).rounded()) + difference
    #expect(try run("add", "\(blood)mg", "--at", try #require(newest["time"].text)).status == 0)
  }

  @Test("calibrate makes an offset, shows it with --calibration user, limits it with --force, and removes it again")
  func calibrate() throws {
    #expect(try run("calibrate").status == 66)
    try importDump()
    #expect(try run("calibrate").status == 65)
    try addFingerStick(above: 25)
    let rehearsal = try run("calibrate", "--dry-run")
    #expect(rehearsal.status == 0 && rehearsal.text.contains("slope 1.000, offset 25 mg/dL (not kept)"))
    #expect(try run("history", "--calibration", "user").status == 65)
    let kept = try run("calibrate", try serial())
    #expect(kept.status == 0 && kept.text.contains("slope 1.000, offset 25 mg/dL\n") && kept.errors.isEmpty)
    #expect(try samples("--calibration", "user").contains { $0["calibration"]["model"] == .string("user") })
    let removed = try run("calibrate", "--remove")
    #expect(removed.status == 0 && removed.text == "values are the factory's\n")
    try addFingerStick(above: 275)
    let refused = try run("calibrate")
    #expect(refused.status == 65 && refused.errors.contains("offset 150") && refused.errors.contains("--force"))
    #expect(try run("calibrate", "--force").text.contains("slope 1.000, offset 60 mg/dL"))
  }

  @Test("check shows the key of a damaged row without the colours that the file has in it")
  func checkIsPlain() throws {
    try importDump()
    let database = try SQLiteConnection<SQLiteFailure>(sandbox.path("store.sqlite"), for: .writing)
    try database.execute(
      "PRAGMA foreign_keys = OFF; INSERT INTO import_left_out (import, reason, count) VALUES (7, char(27) || '[31mred', 1)"
    )
    let check = try run("store", "check")
    #expect(check.status == 74 && check.text.contains("reason ?[31mred"), "\(check.text)")
  }

  // MARK: sensors, sensor reanchor, sensor forget

  @Test("sensors lists every sensor that was read, and shows the current one or the one that is named")
  func sensors() throws {
    try sandbox.done("read", "--reader", "sim:active", "--store", "store.sqlite")
    #expect(try run("import", "dump.hex", "--read-at", "2024-05-02T10:15:00Z").status == 0)
    let list = try run("sensors")
    #expect(list.lines.count == 3 && list.lines[1].hasSuffix(" active") && list.lines[2].hasSuffix(" ended"))
    let sensors = try run("sensors", "--json").json()["sensors"].elements
    let serial = try #require(sensors[1]["serial"].text)
    #expect(try run("sensor", "show", "--json").json()["sensors"] == .array([sensors[0]]))
    #expect(try run("sensor", "show", serial, "--json").json()["sensors"] == .array([sensors[1]]))
    let shown = try run("sensor", "show", serial).text
    #expect(shown.contains("\(serial): ended\n") && shown.contains("from the scan at "))
    #expect(try run("sensor", "show", "9Z").status == 66)
  }

  @Test("reanchor moves every time of a sensor; its dry run moves none; without a time the scans decide")
  func reanchor() throws {
    try importDump()
    func times() throws -> [Date] {
      try samples().compactMap { try $0["time"].text.map { try Date($0, strategy: .iso8601) } }
    }
    let before = try times()
    let wear = try run("sensor", "show", "--json").json()["sensors"][0]["wears"][0]
    let start = try Date(try #require(wear["activated_at"].text), strategy: .iso8601)
    let wanted = start.addingTimeInterval(-3_600).formatted(.iso8601)
    #expect(try run("sensor", "reanchor", "--at", wanted, "--dry-run").text.contains("would be"))
    #expect(try times() == before)
    #expect(try run("sensor", "reanchor", try serial(), "--at", wanted).text.contains("; now "))
    #expect(try times() == before.map { $0.addingTimeInterval(-3_600) })
    #expect(try run("sensor", "reanchor", "--at", wanted).text.contains("nothing to change"))
    #expect(try run("sensor", "reanchor").status == 0)
    #expect(try times() == before)
    #expect(try run("sensor", "reanchor", "9Z").status == 66)
  }

  @Test("reanchor says how when most scans give another start than the last one")
  func reanchorByScans() throws {
    try sandbox.done([
      "simulate", "--days", "1", "--scans-per-day", "4", "--seed", "5", "--from", "2026-11-10", "--out-dir", "scans",
    ])
    let scans = try FileManager.default.contentsOfDirectory(atPath: sandbox.path("scans")).sorted().suffix(3)
      .map { "scans/" + $0 }
    for scan in [scans[0], scans[1]] { #expect(try run("import", scan, "--time-zone", "UTC").status == 0) }
    #expect(try run("import", scans[2], "--read-at", "2026-10-01T08:00:00Z").status == 0)
    #expect(try run("sensor", "reanchor").status == 0)
    let again = try run("sensor", "reanchor")
    #expect(again.errors.contains("2 of 3 scans give") && again.errors.contains("libre sensor reanchor --at 2026-09-"))
  }

  @Test("forget asks for confirmation, has a dry run, and removes a sensor with a removal record for each sample")
  func forget() throws {
    try importDump()
    let ids = try Set(samples("--ring", "all").compactMap { $0["id"].text })
    let anchor = try #require(try run("history", "--from", "all", "--json").json()["anchor"].text)
    let serial = try serial()
    #expect(try run("sensor", "forget", serial).status == 64)
    for (option, words) in [("--dry-run", "would be removed"), ("--yes", "removed")] {
      #expect(try run("sensor", "forget", serial, option).text == "\(serial): 1 scans and 48 samples \(words)\n")
    }
    #expect(try samples("--ring", "all").isEmpty)
    let outcome = try run("history", "--json", "--after", anchor)
    #expect(try Set(outcome.json()["deleted"].elements.compactMap(\.text)) == ids)
    #expect(outcome.errors.contains("48 values were removed") && !outcome.errors.contains("nothing has changed"))
    #expect(try run("sensor", "forget", serial, "--yes").status == 66)
  }

  // MARK: store merge, store vacuum

  @Test("merge adds the samples of another store and does not change the other one; a dry run creates none")
  func merge() throws {
    try importDump(into: "laptop.sqlite")
    #expect(try run("store", "merge", "laptop.sqlite", "--dry-run").status == 0)
    #expect(!sandbox.has("store.sqlite") && !sandbox.has(":memory:"))
    let missing = try run("store", "merge", "nothing.sqlite")
    #expect(missing.status == 66 && missing.errors.contains("nothing.sqlite"))
    #expect(try run("add", "104mg", "--at", "2024-05-02T10:15:00Z").status == 0)
    let theirs = try samples("--ring", "all", store: "laptop.sqlite")
    let rehearsal = try run("store", "merge", "laptop.sqlite", "--dry-run")
    #expect(rehearsal.status == 0 && rehearsal.text.hasSuffix(" would be merged\n"))
    #expect(try samples("--ring", "all").isEmpty)
    let done = try run("store", "merge", "laptop.sqlite")
    #expect(done.status == 0 && done.text.hasPrefix("1 new sensor, 1 scan, 48 samples, "), "\(done.errors)")
    #expect(try samples("--ring", "all") == theirs)
    #expect(try samples("--ring", "all", store: "laptop.sqlite") == theirs)
    #expect([64, 78].contains(try run("store", "merge", "store.sqlite").status))
    #expect(try run("store", "check").status == 0)
  }

  @Test("vacuum reports what it does, or what it would do")
  func vacuum() throws {
    try importDump()
    #expect(try run("store", "vacuum").text == "no values removed; unused space was freed\n")
    let old = try run("store", "vacuum", "--older-than", "2024-05-03", "--dry-run")
    #expect(old.text.hasPrefix("48 values from before ") && old.text.hasSuffix(" would be removed\n"))
    #expect(try samples("--ring", "all").count == 48)
    let unasked = try sandbox.run("store", "vacuum", "--older-than", "2024-05-03")
    #expect(unasked.status == 64 && unasked.errors.contains("--yes"))
    #expect(try run("store", "vacuum", "--older-than", "2024-05-03", "--yes").text.hasSuffix(" removed\n"))
    #expect(try samples("--ring", "all").isEmpty)
  }

  // MARK: store backup

  @Test("backup copies the store, reports its content, and only replaces an older backup")
  func backup() throws {
    #expect(try run("store", "backup", "copy.sqlite").status == 66)
    #expect(!sandbox.has("copy.sqlite") && !sandbox.has("store.sqlite"))
    try importDump()
    // Times that were never shown would be noted in the copy when it is looked at, which writes to it.
    let samples = try samples("--ring", "all")
    let outcome = try run("store", "backup", "copy.sqlite")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(
      outcome.text.hasPrefix("copy.sqlite: 1 sensor, 1 scan, 48 samples, 0 imported values, 0 finger-sticks; ")
        && outcome.text.hasSuffix(" bytes, checked\n"), "\(outcome.text)")
    #expect(try self.samples("--ring", "all", store: "copy.sqlite") == samples)
    #expect(try run("add", "104mg", "--at", "2024-05-02T10:15:00Z").status == 0)
    #expect(try run("store", "backup", "copy.sqlite").text.contains(" 1 finger-stick; "))
    // Now the copy has something that the store never had.
    try sandbox.done("add", "99mg", "--at", "2024-05-02T10:20:00Z", "--store", "copy.sqlite")
    try sandbox.write("mine", to: "text")
    for file in ["copy.sqlite", "text"] {
      let before = try sandbox.bytes(of: file)
      let refused = try run("store", "backup", file)
      #expect(refused.status == 73 && refused.errors.contains("would be lost") && refused.errors.contains("--force"))
      #expect(try sandbox.bytes(of: file) == before)
      #expect(try run("store", "backup", file, "--force").status == 0)
      #expect(try self.samples("--finger-sticks", store: file).count == 33)
    }
    #expect(try run("store", "check").status == 0)
    // Nothing is written to the store itself, to a device or to standard output.
    for (file, status) in [
      ("store.sqlite", 64), ("./store.sqlite", 64), ("-", 64), (".", 73), ("/dev/null", 73), ("no/x", 73),
    ] {
      let outcome = try run("store", "backup", file, "--force")
      #expect(outcome.status == Int32(status) && outcome.errors.contains("  Try: "), "\(file): \(outcome.errors)")
    }
    #expect(try self.samples("--ring", "all") == samples)
  }
}
