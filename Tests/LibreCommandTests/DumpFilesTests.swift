// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Files that hold several memories, are packed, or come from libre itself.
struct DumpFilesTests {
  private let sandbox = Sandbox.new()

  /// A log of three scans, in DiaBLE's form: the first memory, the second, and the first again.
  private func log() throws {
    for (index, name) in Self.dumps.enumerated() { try sandbox.copy(name, to: "\(index + 1).hex") }
    let texts = try Self.converted.get()
    for (index, text) in texts.enumerated() { try sandbox.write(text, to: "\(index + 1).txt") }
    try sandbox.write(texts[0] + texts[1] + texts[0], to: "log.txt")
  }

  private static let dumps = ["active.hex", "expired.hex"]

  /// The dumps in DiaBLE's form, converted once.
  private static let converted = Result {
    let sandbox = try Sandbox()
    return try dumps.map { dump in
      let outcome = try sandbox.done("convert", try sandbox.copy(dump, to: dump), "--to", "diable")
      return outcome.text
    }
  }

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
      try sandbox.done(arguments + ["--dump", "2"])
    }
    #expect(try sandbox.run("decode", "log.txt", "--dump", "4").status == 65)
  }

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
    let originals = try sandbox.run("decode", "--ndjson", "1.hex", "2.hex").ndjson()
    for (file, count) in [("one.json", 1), ("lines.ndjson", 2), ("again.json", 1)] {
      let again = try sandbox.run("decode", "--ndjson", "--all", file).ndjson().filter { $0["code"] == .null }
      #expect(again.count == count, "\(file)")
      for (one, other) in zip(again, originals) {
        for member in one.keys.subtracting(["source"]) { #expect(one[member] == other[member], "\(file) \(member)") }
      }
    }
  }
}
