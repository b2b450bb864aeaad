// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct ConvertCommandTests {
  private let sandbox = Sandbox.new()

  @Test("convert takes the format from the file name of --out, and asks for it if the name does not show it")
  func formatOfName() throws {
    try sandbox.copy("active.hex", to: "active.hex")
    // An option has priority over the file name.
    for (name, options, format) in [("a.NFC", [], "flipper"), ("b.bin", ["--to", "xxd"], "xxd")] {
      let outcome = try sandbox.done(["convert", "active.hex", "--out", name] + options)
      #expect(try sandbox.run("decode", name, "--json").json()["source"]["format"] == .string(format))
      // DumpWriterTests have what each format loses.
      #expect(outcome.errors.contains("the UID") == (format == "xxd"), "\(outcome.errors)")
    }
    let piped = try sandbox.run("convert", "active.hex", "--to", "raw", "--quiet")
    #expect(try piped.errors.isEmpty && piped.output == DumpBytes("active").bytes)
    for arguments in [["--out", "a.txt"], []] {
      let outcome = try sandbox.run(["convert", "active.hex"] + arguments)
      #expect(outcome.status == 64 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("Try: --to with one of json, ") && outcome.errors.contains("diable"))
      #expect(arguments.isEmpty || outcome.errors.contains("hex (.hex)"), "\(outcome.errors)")
    }
  }

  @Test("--lines converts each line of an archive, also of a gzip file, to a libre.dump/1 on one line")
  func lines() throws {
    for name in ["active.hex", "expired.hex"] { try sandbox.copy(name, to: name) }
    let made = try sandbox.shell(
      """
      set -e
      for name in active expired; do "$LIBRE" convert $name.hex --quiet --to raw | od -An -v -tx1 | tr -d ' \\n'; echo; done >hex
      gzip -k hex; sed 1abad hex >bad
      """)
    try #require(made.status == 0, "\(made.errors)")
    let outcome = try sandbox.run("convert", "hex.gz", "--lines")
    #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.lines.count == 2, "\(outcome.errors)")
    #expect(try outcome.ndjson().map { $0["schema"] } == Array(repeating: .string("libre.dump/1"), count: 2))
    let partial = try sandbox.run("convert", "bad", "--lines", "--out", "out.ndjson")
    #expect(partial.status == 65 && partial.errors.contains("bad, line 2: "))
    #expect(partial.errors.hasSuffix("libre: 3 lines: 2 converted, 1 refused\n"), "\(partial.errors)")
    #expect(sandbox.text(of: "out.ndjson") == outcome.text)
    #expect(try sandbox.run("convert", "nothing", "--lines", "--out", "none").status == 66)
    #expect(!sandbox.has("none"))
  }

  @Test("--anonymous gives the sensor of several files one invented UID, and says what stays")
  func anonymous() throws {
    for name in ["active.hex", "libre2.hex", "x-bad-body.hex"] { try sandbox.copy(name, to: name) }
    let files = ["active.hex", "active.hex", "libre2.hex", "x-bad-body.hex"]
    let outcome = try sandbox.run(["convert", "--anonymous"] + files)
    let again = try sandbox.run("convert", "active.hex", "--anonymous", "--to", "json").json()["sensor"]["uid"]
    try #require(outcome.status == 0 && outcome.errors.contains("factory's numbers stay"), "\(outcome.errors)")
    try sandbox.write(outcome.output, to: "given.ndjson")
    let before = try files.map { try sandbox.run("decode", $0, "--salvage", "--json").json() }
    let after = try sandbox.run("decode", "given.ndjson", "--salvage", "--ndjson").ndjson()
    let uids = try outcome.ndjson().map { $0["sensor"]["uid"] }
    #expect(uids[0] == uids[1] && Set(uids + [again] + before.map { $0["sensor"]["uid"] }).count == 7, "\(uids)")
    // AnonymiserTests compare all that stays.
    func ages(_ readings: [JSONValue]) -> [JSONValue] { readings.map { $0["sensor"]["age_minutes"] } }
    #expect(ages(before) == ages(after) && after.allSatisfy { $0["read_at"] == .null })
    try sandbox.copy("x-encrypted-look.hex", to: "dark.hex")
    let refused = try sandbox.run("convert", "--anonymous", "dark.hex", "active.hex")
    #expect(refused.status == 65 && refused.lines.count == 1 && refused.errors.contains("dark.hex: all checksums"))
    for options in ["--read-at now", "--lines --to hex", "--dump 1 active.hex"] {
      let arguments =
        ["convert", "active.hex", "--anonymous", "--to", "json"] + options.split(separator: " ").map(String.init)
      #expect(try sandbox.run(arguments).status == 64, "\(options)")
    }
  }

  @Test("--anonymous writes a transcript again, and libre writes no other one")
  func transcript() throws {
    _ = try sandbox.run("read", "--reader", "sim:libre2", "--trace", "a.trace", "--show-identifiers", "--no-store")
    let made = try sandbox.run("convert", "a.trace", "--anonymous", "--out", "b.TRACE")
    #expect(made.status == 0 && made.errors.contains("UID and serial number are invented"), "\(made.errors)")
    let (before, after) = (
      try sandbox.run("decode", "a.trace", "--json").json(), try sandbox.run("decode", "b.TRACE", "--json").json()
    )
    #expect(after["sensor"]["uid"] != before["sensor"]["uid"] && after["sensor"]["uid"] != .null)
    #expect(after["sensor"]["age_minutes"] == before["sensor"]["age_minutes"] && after["trend"].elements.count == 16)
    let replayed = try sandbox.run("read", "--reader", "replay:b.TRACE", "--no-store", "--json")
    #expect(try replayed.json()["memory"] == after["memory"], "\(replayed.errors)")
    try sandbox.copy("active.hex", to: "active.hex")
    #expect(try sandbox.run("convert", "a.trace", "--to", "trace").status == 64)
    #expect(try sandbox.run("convert", "active.hex", "--anonymous", "--to", "trace").status == 65)
  }

  @Test(
    "the output of xxd and hexdump is read in any layout",
    arguments: [
      "xxd -u", "xxd -g0", "xxd -g1 -c8", "xxd -c 256", "xxd -a", "xxd -o 63584", "xxd -p", "hexdump -C",
      "hexdump -v -C",
    ])
  func layouts(command: String) throws {
    let program = command.prefix { $0 != " " }
    guard try sandbox.shell("\(program) /dev/null").status == 0 else {
      try Test.cancel("\(program) is not installed")
    }
    // It has runs of equal blocks, and ends within a row.
    try sandbox.copy("not-activated.hex", to: "dump.hex")
    let outcome = try sandbox.shell(
      """
      "$LIBRE" convert dump.hex --quiet --to raw --out dump.bin
      \(command) dump.bin | "$LIBRE" convert - --to raw | cmp - dump.bin
      """)
    #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
  }
}
