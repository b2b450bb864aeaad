// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing

struct SimulateCommandTests {
  private let sandbox = Sandbox.new()

  @Test("simulate writes hex with UID, patch info and time, or raw if the option or the file name says so")
  func out() throws {
    let hex = try sandbox.run("simulate", "--scenario", "active", "--seed", "5")
    #expect(hex.output == [UInt8](try Data(contentsOf: Repository.dumps.appendingPathComponent("active.hex"))))
    let raw = try DumpBytes("active").bytes
    for (name, options) in [("new.hex", []), ("new.bin", []), ("text.bin", ["--format", "hex"])] {
      let file = try sandbox.run(["simulate", "--seed", "5", "--out", name] + options)
      #expect(file.status == 0 && file.output.isEmpty)
      #expect(try sandbox.bytes(of: name) == (name == "new.bin" ? raw : hex.output), "\(name)")
    }
    #expect(try sandbox.run("simulate", "--out", "nothing/new.hex").status == 73)
    // It lists its scenarios.
    let list = try sandbox.done("simulate", "--list")
    let names = list.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names == Scenario.all.map(\.name))
    let scenarios = try sandbox.run("simulate", "--list", "--json").json()["scenarios"].elements
    #expect(scenarios.map { $0["name"].text } == names && scenarios[0]["address"].text == "sim:\(names[0])")
    let refused = try sandbox.run("simulate", "--json")
    #expect(refused.status == 64 && refused.errors.contains("libre simulate --list --json"))
  }

  @Test("simulate makes days of scans, the same for the same seed and time, which import accepts without a warning")
  func days() throws {
    func make(_ directory: String, _ options: String...) throws -> Outcome {
      try sandbox.run(["simulate", "--days", "2", "--out-dir", directory, "--until", "2024-05-16T10:00:00Z"] + options)
    }
    let made = try make("one/scans")
    #expect(made.status == 0 && made.output.isEmpty && made.errors.contains(" to one/scans, from "))
    #expect(made.errors.contains("Try: libre import --recursive one/scans --store "))
    func files(_ directory: String) throws -> [String: [UInt8]] {
      let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path(directory))
      return try Dictionary(uniqueKeysWithValues: names.map { ($0, try sandbox.bytes(of: "\(directory)/\($0)")) })
    }
    let scans = try files("one/scans")
    #expect(scans.count > 8 && scans.keys.max() == "2024-05-16T100000Z.hex")
    try sandbox.done("import", "--recursive", "one/scans", "--store", "store.sqlite")
    // Once more changes nothing; another person's scans would take the place of these.
    #expect(try make("one/scans").status == 0)
    let refused = try make("one/scans", "--seed", "2")
    #expect(refused.status == 73 && refused.errors.contains("--force"))
    #expect(try files("one/scans") == scans)
    #expect(try make("one/scans", "--seed", "2", "--force").status == 0)
    // The end is the last full hour if it is not given, or counted from --from.
    try sandbox.done("simulate", "--days", "1", "--out-dir", "now")
    #expect(try files("now").keys.max()?.hasSuffix("0000Z.hex") == true)
    try sandbox.done("simulate", "--days", "2", "--out-dir", "from", "--from", "2024-05-02")
    #expect(try files("from").keys.max() == "2024-05-04T000000Z.hex")
  }
}
