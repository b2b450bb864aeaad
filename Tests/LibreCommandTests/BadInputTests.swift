// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// "What bad input gets": a message that names the culprit with both numbers, the exit status of CONTRACT 2, and nothing
/// on standard output but valid JSON in JSON modes.
struct BadInputTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func expect(
    _ outcome: Outcome, _ name: String, status: Int32 = 65, parts: [String] = [],
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == status, "\(name): \(outcome.errors)", sourceLocation: location)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 2, "\(name): \(outcome.errors)", sourceLocation: location)
    #expect(lines.first?.hasPrefix("libre: \(name): ") == true, "\(outcome.errors)", sourceLocation: location)
    #expect(lines.last?.hasPrefix("  Try: ") == true, "\(outcome.errors)", sourceLocation: location)
    for part in parts {
      #expect(lines.first?.contains(part) == true, "\(name) lacks \(part)", sourceLocation: location)
    }
  }

  private func expectDocument(
    _ document: JSONValue, path: String, code: String, stderr: String, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(document["schema"] == .string("libre.error/1"), sourceLocation: location)
    #expect(document["code"] == .string(code), sourceLocation: location)
    #expect(document["source"]["path"] == .string(path), sourceLocation: location)
    for key in ["message", "resolution"] {
      let text = document[key].text ?? ""
      #expect(!text.isEmpty && stderr.contains(text), "\(key)", sourceLocation: location)
    }
  }

  @Test("each bad file gets its message, its status and, in JSON, its document", arguments: try BadInput.all())
  func badFile(input: BadInput) throws {
    try sandbox.write(input.bytes, to: input.name)
    let table = try sandbox.run("decode", input.name)
    expect(table, input.name, parts: input.parts)
    #expect(table.output.isEmpty)
    let json = try sandbox.run("decode", "--json", input.name)
    expect(json, input.name, parts: input.parts)
    expectDocument(try json.json(), path: input.name, code: input.code, stderr: json.errors)
    let ndjson = try sandbox.run("decode", "--ndjson", input.name)
    #expect(try ndjson.ndjson() == [json.json()])
    let csv = try sandbox.run("decode", "--csv", input.name)
    #expect(csv.status == 65)
    #expect(csv.lines.count == 1 && csv.text.hasPrefix("path,uid,"))
  }

  @Test("a failing file among many does not stop the others, in any form of output")
  func amongMany() throws {
    try sandbox.copy("active.hex", to: "1.hex")
    try sandbox.copy("x-bad-body.hex", to: "2.hex")
    try sandbox.copy("expired.hex", to: "3.hex")
    let files = ["1.hex", "2.hex", "nothing.hex", "3.hex"]

    let json = try sandbox.run(["decode", "--json"] + files)
    // The highest of theirs: 65 and 66.
    #expect(json.status == 66)
    let documents = try json.json().elements
    #expect(documents.map { $0["source"]["path"].text } == files)
    #expect(
      documents.map { $0["schema"].text } == ["libre.reading/1", "libre.error/1", "libre.error/1", "libre.reading/1"])
    #expect(documents.map { $0["code"].text } == [nil, "crc_mismatch", "not_found", nil])
    #expect(json.errors.contains("libre: 2.hex: ") && json.errors.contains("libre: nothing.hex: "))

    let ndjson = try sandbox.run(["decode", "--ndjson"] + files)
    #expect(ndjson.status == 66)
    #expect(try ndjson.ndjson() == documents)

    let table = try sandbox.run(["decode"] + files)
    #expect(table.status == 66)
    #expect(table.lines.count { $0.hasPrefix("FreeStyle Libre ") } == 2)
    #expect(!table.text.contains("checksum does not hold"))

    let csv = try sandbox.run(["decode", "--csv"] + files)
    #expect(csv.status == 66)
    #expect(csv.lines.count == 1 + 2 * 48)
  }

  @Test("every ring index that points behind its ring is refused by its number")
  func ringIndices() throws {
    let active = try DumpBytes("active")
    var files: [String] = []
    for index in 16...255 {
      files.append(try sandbox.write(active.changed(at: 26, to: UInt8(index), sealing: 24..<320), to: "trend-\(index)"))
    }
    for index in 32...255 {
      files.append(
        try sandbox.write(active.changed(at: 27, to: UInt8(index), sealing: 24..<320), to: "history-\(index)"))
    }
    let outcome = try sandbox.run(["decode", "--ndjson"] + files)
    #expect(outcome.status == 65)
    let documents = try outcome.ndjson()
    #expect(documents.count == 464)
    for (file, document) in zip(files, documents) {
      let parts = file.split(separator: "-").map(String.init)
      #expect(document["code"] == .string("ring_index_out_of_range"))
      #expect(document["message"].text?.contains("the \(parts[0]) index is \(parts[1])") == true, "\(file)")
    }
  }

  @Test("a bad header or footer costs what it holds, not the reading")
  func badRegions() throws {
    let active = try DumpBytes("active")
    for (offset, region) in [(10, "header"), (323, "footer")] {
      try sandbox.write(active.changed(at: offset, to: ~active.bytes[offset]), to: "\(region).bin")
      let outcome = try sandbox.run("decode", "--json", "\(region).bin")
      #expect(outcome.status == 0)
      let document = try outcome.json()
      #expect(document["integrity"][region] == .string("bad"))
      #expect(document["problems"][0]["code"] == .string("\(region)_not_trusted"))
      #expect(document["calibration"] == .null)
      #expect(document["trend"].elements.allSatisfy { $0["glucose_mg_dl"] == .null })
      #expect(document["trend"].elements.count == 16 && document["history"].elements.count == 32)
    }
  }

  @Test("a folder, a missing file and a path through a file are told by name, with status 66")
  func notFiles() throws {
    try sandbox.copy("active.hex", to: "folder/dump.hex")
    for (path, code) in [("folder", "is_folder"), ("nothing", "not_found"), ("folder/dump.hex/x", "not_found")] {
      let outcome = try sandbox.run("decode", "--json", path)
      expect(outcome, path, status: 66)
      expectDocument(try outcome.json(), path: path, code: code, stderr: outcome.errors)
    }
    #expect(try sandbox.run("decode", "folder").errors.contains("--recursive"))
  }

  @Test("a file of 10 GB is refused by its size, without being read", .disabled(if: Sandbox.isSanitized))
  func large() throws {
    let path = sandbox.path("large.bin")
    try sandbox.write("", to: "large.bin")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 10_737_418_240)
    try handle.close()
    // 400 MB of address space would not hold a tenth of it.
    let outcome = try sandbox.shell("ulimit -v 400000; exec timeout 20 \"$LIBRE\" decode --json large.bin")
    expect(outcome, "large.bin", parts: ["10737418240", "67108864"])
    expectDocument(try outcome.json(), path: "large.bin", code: "too_large", stderr: outcome.errors)
  }

  @Test(
    "a device without end is refused at the limit, in bounded memory and time", .disabled(if: Sandbox.isSanitized))
  func endless() throws {
    let outcome = try sandbox.shell("ulimit -v 600000; exec timeout 20 \"$LIBRE\" decode --json /dev/zero")
    expect(outcome, "/dev/zero", parts: ["67108864"])
    expectDocument(try outcome.json(), path: "/dev/zero", code: "too_large", stderr: outcome.errors)
    let piped = try sandbox.shell("cat /dev/zero | (ulimit -v 600000; exec timeout 20 \"$LIBRE\" decode --json -)")
    expect(piped, "standard input", parts: ["67108864"])
  }

  /// Takes from root the right to read everything.
  private static let unprivileged = ["--inh-caps=-all", "--bounding-set=-all"]

  /// True if a file without rights can be made unreadable: not being root, or being able to do without root's rights.
  private static let canForbid =
    getuid() != 0
    || (try? Sandbox().run(program: "/usr/bin/setpriv", unprivileged + [Sandbox.binary, "--version"]))?.status == 0

  @Test(
    "a file that may not be read is told by name, with status 77",
    .enabled(if: canForbid, "as root without setpriv every file can be read"))
  func forbidden() throws {
    try sandbox.copy("active.hex", to: "secret.hex")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: sandbox.path("secret.hex"))
    let arguments = ["decode", "--json", "secret.hex"]
    let outcome =
      getuid() == 0
      ? try sandbox.run(program: "/usr/bin/setpriv", Self.unprivileged + [Sandbox.binary] + arguments)
      : try sandbox.run(arguments)
    expect(outcome, "secret.hex", status: 77)
    expectDocument(try outcome.json(), path: "secret.hex", code: "permission_denied", stderr: outcome.errors)
  }

  @Test("a pipe that is slow to speak is waited for, by path as on standard input")
  func slowPipe() throws {
    try sandbox.copy("active.hex", to: "active.hex")
    let input = try sandbox.shell("(sleep 0.3; cat active.hex) | \"$LIBRE\" decode --csv - | wc -l")
    #expect(input.text.contains("49"))
    let path = try sandbox.shell("(sleep 0.3; cat active.hex) | \"$LIBRE\" decode --csv /dev/stdin | wc -l")
    #expect(path.text.contains("49"), "\(path.errors)")
    let fifo = try sandbox.shell(
      "mkfifo fifo; (sleep 0.3; cat active.hex > fifo) & timeout 10 \"$LIBRE\" decode --csv fifo | wc -l; kill $! 2>/dev/null"
    )
    #expect(fifo.text.contains("49"), "\(fifo.errors)")
  }

  @Test("a UID or a format that cannot be is a matter of usage, with status 64")
  func usage() throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    for arguments in [
      ["--uid", "0102030405060708"], ["--uid", "E007"], ["--uid", "x"], ["--input-format", "floppy"],
      ["--patch-info", "DF"], ["--patch-info", "xyz"], ["--read-at", "noon"], ["--read-at", "2024-05-02"],
      ["--calibration", "oop"], ["--unit", "stone"], ["--time-zone", "Mars/Olympus"], ["--color", "blue"], ["--bogus"],
      ["--json", "--csv"],
    ] {
      let outcome = try sandbox.run(["decode", "dump.hex"] + arguments)
      #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
      #expect(!outcome.errors.isEmpty)
    }
    #expect(try sandbox.run("decode").status == 64)
    #expect(try sandbox.run("decode", "dump.hex", "--uid", "0102030405060708").errors.contains("--uid"))
    #expect(try sandbox.run("nonsense").status == 64)
  }
}
