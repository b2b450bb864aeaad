// SPDX-License-Identifier: Apache-2.0
import Foundation
import SensorSimulator
import TestSupport
import Testing

struct SimulateCommandTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test("gives the same dump for the same scenario and seed, and another for another")
  func deterministic() throws {
    let first = try sandbox.run("simulate", "--scenario", "expired", "--seed", "7")
    #expect(first.status == 0 && first.errors.isEmpty)
    #expect(try sandbox.run("simulate", "--scenario", "expired", "--seed", "7").output == first.output)
    let elsewhere = try sandbox.run(
      ["simulate", "--scenario", "expired", "--seed", "7"], environment: ["TZ": "Asia/Kolkata", "LANG": "tr_TR.UTF-8"])
    #expect(elsewhere.output == first.output)
    #expect(try sandbox.run("simulate", "--scenario", "expired", "--seed", "8").output != first.output)
    #expect(try sandbox.run("simulate", "--scenario", "active", "--seed", "7").output != first.output)
  }

  @Test("writes hex with UID, patch info and time, which decode reads back")
  func hex() throws {
    let outcome = try sandbox.run("simulate", "--scenario", "active", "--seed", "5")
    #expect(outcome.lines.contains { $0.hasPrefix("# uid: E007A0FF") })
    #expect(outcome.lines.contains { $0.hasPrefix("# patch-info: DF") })
    #expect(outcome.lines.contains { $0.hasPrefix("# read-at: 202") })
    #expect(outcome.output == [UInt8](try Data(contentsOf: Repository.dumps.appendingPathComponent("active.hex"))))
    let decoded = try sandbox.run(["decode", "--json", "-"], input: outcome.output)
    #expect(try decoded.json()["sensor"]["state"] == .string("active"))
  }

  @Test("writes to a file what it writes to standard output, raw where the name says so")
  func out() throws {
    let hex = try sandbox.run("simulate", "--seed", "5")
    let file = try sandbox.run("simulate", "--seed", "5", "--out", "new.hex")
    #expect(file.status == 0 && file.output.isEmpty)
    #expect([UInt8](try Data(contentsOf: sandbox.url.appendingPathComponent("new.hex"))) == hex.output)
    #expect(try sandbox.run("simulate", "--seed", "5", "--out", "new.bin").status == 0)
    #expect(
      [UInt8](try Data(contentsOf: sandbox.url.appendingPathComponent("new.bin"))) == (try DumpBytes("active").bytes))
    let raw = try sandbox.run("simulate", "--seed", "5", "--format", "raw")
    #expect(raw.output == (try DumpBytes("active").bytes))
    #expect(try sandbox.run("simulate", "--seed", "5", "--format", "hex", "--out", "text.bin").status == 0)
    #expect([UInt8](try Data(contentsOf: sandbox.url.appendingPathComponent("text.bin"))) == hex.output)
  }

  @Test("says where it cannot write, with status 73, and leaves nothing half-written")
  func unwritable() throws {
    try FileManager.default.createDirectory(
      at: sandbox.url.appendingPathComponent("folder"), withIntermediateDirectories: true)
    for path in ["nothing/new.hex", "folder"] {
      let outcome = try sandbox.run("simulate", "--out", path)
      #expect(outcome.status == 73)
      #expect(outcome.errors.contains(path) && outcome.errors.contains("\n  Try: "))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path("folder")).isEmpty)
  }

  @Test("does not put a file in the place of a device that it is told to write to")
  func device() throws {
    try FileManager.default.createSymbolicLink(atPath: sandbox.path("full"), withDestinationPath: "/dev/full")
    #expect(try sandbox.run("simulate", "--out", "full").status == 73)
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: sandbox.path("full"))) == "/dev/full")
  }

  @Test("lists its scenarios, each of which it can make, and decode reads each")
  func list() throws {
    let list = try sandbox.run("simulate", "--list")
    #expect(list.status == 0)
    let names = list.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.count >= 30 && Set(names).count == names.count)
    #expect(Set(names).isSuperset(of: ["active", "warming-up", "torn", "bad-body", "ring-index-16", "encrypted-look"]))
    #expect(names == Scenario.all.map(\.name))
    let made = TestTier.current == .full ? names : ["torn", "encrypted-look", try #require(names.last)]
    for name in made {
      let outcome = try sandbox.run("simulate", "--scenario", name, "--out", "\(name).hex")
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(name): \(outcome.errors)")
    }
    let decoded = try sandbox.run(["decode", "--ndjson"] + made.map { "\($0).hex" }).ndjson()
    #expect(decoded.count == made.count)
  }

  @Test("refuses a scenario and a seed that there is not, with status 64")
  func usage() throws {
    let outcome = try sandbox.run("simulate", "--scenario", "nothing")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("nothing") && outcome.errors.contains("--list"))
    for seed in ["-1", "x", "18446744073709551616", "1.5"] {
      #expect(try sandbox.run("simulate", "--seed=\(seed)").status == 64)
    }
    #expect(try sandbox.run("simulate", "--seed", "18446744073709551615").status == 0)
  }
}
