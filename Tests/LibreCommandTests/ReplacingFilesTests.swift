// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Nothing that exists is replaced by something poorer unless the user asks for it with --force.
struct ReplacingFilesTests {
  private let sandbox = Sandbox.new()

  @Test("convert does not replace a dump by one without its UID, patch info and time, and reports what would be lost")
  func poorerDump() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    let before = sandbox.text(of: "a.hex")
    let refused = try sandbox.run("convert", "a.hex", "--to", "raw", "--out", "a.hex")
    #expect(refused.status == 73)
    for part in ["a.hex", "the UID", "the time of the scan", "would be lost", "--force"] {
      #expect(refused.errors.contains(part), "\(refused.errors)")
    }
    #expect(sandbox.text(of: "a.hex") == before)
    #expect(try sandbox.run("convert", "a.hex", "--to", "json", "--out", "a.hex").status == 0, "it has the same data")
    try sandbox.done("convert", "a.hex", "--to", "raw", "--out", "a.hex", "--force")
    #expect(try sandbox.bytes(of: "a.hex").count == 344)
  }

  @Test("another memory and a file that is not a dump are not replaced, but an empty file is")
  func otherContent() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    try sandbox.copy("expired.hex", to: "old.hex")
    try sandbox.write("milk, bread\n", to: "notes.txt")
    try sandbox.write("", to: "empty")
    for name in ["old.hex", "notes.txt"] {
      let before = sandbox.text(of: name)
      let refused = try sandbox.run("convert", "a.hex", "--to", "hex", "--out", name)
      #expect(refused.status == 73 && refused.errors.contains(name) && refused.errors.contains("--force"))
      #expect(sandbox.text(of: name) == before)
    }
    try sandbox.done("convert", "a.hex", "--to", "hex", "--out", "empty")
  }

  @Test("read does not overwrite an older scan with --save, and reports this before it waits for a sensor")
  func savedScan() throws {
    let arguments = ["read", "--reader", "sim:active", "--save", "scan.hex"]
    try sandbox.done(arguments)
    let before = sandbox.text(of: "scan.hex")
    let refused = try sandbox.run(["read", "--reader", "sim:nothing", "--save", "scan.hex"])
    #expect(refused.status == 73 && refused.errors.contains("scan.hex") && refused.errors.contains("--force"))
    #expect(refused.output.isEmpty)
    #expect(sandbox.text(of: "scan.hex") == before)
    try sandbox.done(arguments + ["--force"])
  }

  @Test("a transcript is not written over a file with content, neither directly nor through a link")
  func transcript() throws {
    try sandbox.write("keep me\n", to: "notes.txt")
    try FileManager.default.createSymbolicLink(atPath: sandbox.path("link"), withDestinationPath: "notes.txt")
    for name in ["notes.txt", "link"] {
      for command in [["read", "--no-store"], ["watch", "--no-store", "--count", "1"]] {
        let refused = try sandbox.run(command + ["--reader", "sim:active", "--trace", name])
        #expect(refused.status == 73 && refused.errors.contains("\(name): its contents would be lost"))
      }
    }
    #expect(sandbox.text(of: "notes.txt") == "keep me\n")
    try sandbox.done("read", "--no-store", "--reader", "sim:active", "--trace", "notes.txt", "--force")
    #expect(sandbox.text(of: "notes.txt").hasPrefix("# libre-trace: "))
  }

  @Test("report, compare and export replace what they wrote earlier, and nothing else")
  func ownDocuments() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    try sandbox.done("import", "a.hex")
    let commands = [
      (["report", "--from", "all", "--out"], "page.html"), (["report", "--from", "all", "--svg"], "r.svg"),
      (["compare", "--from", "all", "--svg"], "c.svg"), (["export", "--format", "csv", "--out"], "all.csv"),
    ]
    for (command, name) in commands {
      for other in ["keep me\n", "<!DOCTYPE html>\n<title>Mine</title>\n"] {
        try sandbox.write(other, to: name)
        let refused = try sandbox.run(command + [name])
        #expect(refused.status == 73 && refused.errors.contains("would be lost"), "\(command): \(refused.errors)")
        #expect(sandbox.text(of: name) == other)
      }
      try sandbox.done(command + [name, "--force"])
      #expect(try sandbox.run(command + [name]).status == 0, "every night again")
    }
    try sandbox.done("export", "--format", "csv", "--out", "all.csv", "--ring", "trend")
    try sandbox.done("simulate", "--seed", "7", "--out", "b.hex")
    try sandbox.done("import", "b.hex", "--read-at", "-1h", "--store", "other.sqlite")
    let refused = try sandbox.run("export", "--format", "csv", "--out", "all.csv", "--store", "other.sqlite")
    #expect(refused.status == 73 && refused.errors.contains("lines that neither the new export nor the store has"))
  }

  @Test("an empty period does not replace an existing report page, not even with --force")
  func emptyPeriod() throws {
    try ImportedStore.copy(to: ImportedStore.standard, in: sandbox)
    let report = ["report", "--out", "page.html", "--from"]
    try sandbox.done(report + ["all"])
    let before = sandbox.text(of: "page.html")
    for force in [[], ["--force"]] {
      let refused = try sandbox.run(report + ["2031-01-01"] + force)
      #expect(refused.status == 65 && refused.errors.contains("no samples since 2031-01-01"), "\(refused.errors)")
      #expect(sandbox.text(of: "page.html") == before)
    }
  }
}
