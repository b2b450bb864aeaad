// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

struct InspectCommandTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// The offsets of the rows, and how many bytes each shows.
  private func rows(_ outcome: Outcome) -> [(offset: Int, count: Int)] {
    outcome.lines.compactMap { line in
      let cells = line.split(separator: " ")
      guard let first = cells.first, let offset = Int(first) else { return nil }
      return (offset, cells.dropFirst().prefix { $0.wholeMatch(of: /[0-9A-F]{2}|--/) != nil }.count)
    }
  }

  private static let few = ["active", "block-42-missing", "x-bad-body", "libre2", "x-truncated"]
  private static let more = [
    "not-activated", "torn", "bad-header", "bad-footer", "full-memory", "x-ring-index-16", "x-history-index-32",
    "x-blank-zero", "x-blank-ones", "x-encrypted-look",
  ]

  @Test(
    "inspect shows all 344 bytes in order without a gap, of good and of damaged memories",
    arguments: few + (TestTier.current == .full ? more : []))
  func whole(name: String) throws {
    try sandbox.copy("\(name).hex", to: "dump.hex")
    let outcome = try sandbox.run("inspect", "dump.hex")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    var next = 0
    for row in rows(outcome) {
      #expect(row.offset == next)
      next = row.offset + row.count
    }
    #expect(next == 344)
    #expect(outcome.lines.first?.hasPrefix("dump.hex: hex, ") == true)
    #expect(!outcome.text.contains("\u{1B}"))
  }

  @Test("inspect reads standard input, and accepts a format, a UID and colour")
  func options() throws {
    let bytes = try DumpBytes("active").bytes
    let outcome = try sandbox.run(["inspect", "-", "--input-format", "raw"], input: bytes)
    #expect(outcome.status == 0)
    #expect(rows(outcome).count > 60)
    let colored = try sandbox.run(["inspect", "--color", "always", "-"], input: bytes)
    #expect(colored.text.contains("\u{1B}["))
  }

  @Test("inspect reports which file it cannot show, and why", arguments: ["x-345-bytes.hex", "x-not-hex.hex"])
  func refused(file: String) throws {
    try sandbox.copy(file, to: file)
    let outcome = try sandbox.run("inspect", file)
    #expect(outcome.status == 65)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("libre: \(file): "), "\(outcome.errors)")
    #expect(outcome.errors.contains("\n  Try: "))
  }

  @Test("inspect reports a missing file by name, with status 66")
  func missing() throws {
    let outcome = try sandbox.run("inspect", "nothing.bin")
    #expect(outcome.status == 66)
    #expect(outcome.errors.hasPrefix("libre: nothing.bin: "), "\(outcome.errors)")
    let folder = try sandbox.run("inspect", ".")
    #expect(folder.status == 66)
    // inspect takes one file only, so the suggested fix names the commands that take a directory.
    #expect(folder.errors.contains("use --recursive with decode or import"), "\(folder.errors)")
  }

  @Test(
    "--json writes the map as one document, also for damaged memories, and an error as one document",
    arguments: Self.few)
  func json(name: String) throws {
    try sandbox.copy("\(name).hex", to: "dump.hex")
    let outcome = try sandbox.run("inspect", "--json", "dump.hex")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let map = try outcome.json()
    #expect(map["schema"] == .string("libre.memory/1") && map["source"]["format"] == .string("hex"))
    #expect(map["fields"].elements.compactMap { $0["size"].number }.reduce(0, +) == 344)
    #expect(map["regions"].elements.count == 3)
    let missing = try sandbox.run("inspect", "--json", "nothing.bin")
    #expect(try missing.status == 66 && missing.json()["schema"] == .string("libre.error/1"))
  }
}
