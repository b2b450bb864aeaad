// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Files that hold several memories, are packed, or come from libre itself.
struct DumpFilesTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// A log of three scans, in DiaBLE's form: the first memory, the second, and the first again.
  private func log() throws {
    for (index, name) in Self.dumps.enumerated() { try sandbox.copy(name, to: "\(index + 1).hex") }
    let texts = try Self.converted.get()
    for (index, text) in texts.enumerated() { try sandbox.write(text, to: "\(index + 1).txt") }
    try sandbox.write(texts[0] + texts[1] + texts[0], to: "log.txt")
  }

  private static let dumps = ["active.hex", "expired.hex", "x-bad-body.hex"]

  /// The dumps in DiaBLE's form, converted once.
  private static let converted = Result {
    let sandbox = try Sandbox()
    return try dumps.map { dump in
      let outcome = try sandbox.run("convert", try sandbox.copy(dump, to: dump), "--to", "diable")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.text
    }
  }

  // MARK: Several memories

  @Test("a file with several memories needs a choice, and the error lists them")
  func several() throws {
    try log()
    let outcome = try sandbox.run("decode", "log.txt")
    #expect(outcome.status == 65)
    for part in ["has 3 memories", "1 (line ", "2 (line ", "3 of 3 checksums good", "--dump 1", "--all"] {
      #expect(outcome.errors.contains(part), "\(part)")
    }
    for arguments in [["inspect", "log.txt"], ["convert", "log.txt", "--to", "hex"]] {
      #expect(try sandbox.run(arguments).status == 65)
      #expect(try sandbox.run(arguments + ["--dump", "2"]).status == 0)
    }
    #expect(try sandbox.run("decode", "log.txt", "--dump", "4").status == 65)
  }

  @Test("--dump N decodes memory N, and --all decodes every memory, in order")
  func chosen() throws {
    try log()
    let singles = try sandbox.run("decode", "--ndjson", "1.hex", "2.hex", "1.hex").ndjson()
    try #require(singles.count == 3)
    let second = try sandbox.run("decode", "--json", "log.txt", "--dump", "2").json()
    for member in ["memory", "sensor", "read_at"] { #expect(second[member] == singles[1][member], "\(member)") }
    #expect(second["source"]["dump"] == .number(2))
    let lines = try sandbox.run("decode", "--ndjson", "--all", "log.txt").ndjson()
    #expect(lines.map { $0["memory"] } == singles.map { $0["memory"] })
    #expect(lines.map { $0["source"]["dump"] } == [.number(1), .number(2), .number(3)])
    #expect(try sandbox.run("decode", "--json", "--all", "1.hex").json().elements.count == 1)
  }

  // MARK: What libre wrote

  @Test("a reading can be decoded again to the same reading: alone, and as JSON lines")
  func readings() throws {
    try sandbox.copy("active.hex", to: "1.hex")
    try sandbox.copy("torn.hex", to: "2.hex")
    let made = try sandbox.shell(
      """
      "$LIBRE" decode --json 1.hex > one.json; "$LIBRE" decode --ndjson 1.hex nothing 2.hex > lines.ndjson
      "$LIBRE" decode --json one.json > again.json
      """)
    #expect(made.status == 0)
    func withoutSource(_ readings: [JSONValue]) -> [JSONValue] {
      readings.filter { $0["code"] == .null }.map { reading in
        guard case .object(var members) = reading else { return reading }
        members["source"] = nil
        return .object(members)
      }
    }
    let originals = withoutSource(try sandbox.run("decode", "--ndjson", "1.hex", "2.hex").ndjson())
    for (file, count) in [("one.json", 1), ("lines.ndjson", 2), ("again.json", 1)] {
      let again = try sandbox.run("decode", "--ndjson", "--all", file).ndjson()
      #expect(withoutSource(again) == Array(originals.prefix(count)), "\(file)")
    }
  }
}
