// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The fix that an error suggests works in the situation of the error.
struct HelpfulHintsTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// The lines on standard error of a run that fails with this status.
  private func errors(_ status: Int32, _ arguments: String...) throws -> String {
    let outcome = try sandbox.run(arguments)
    #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
    return outcome.errors
  }

  @Test("for a directory, the hint suggests a command that works with --recursive")
  func directory() throws {
    try sandbox.copy("active.hex", to: "dumps/a.hex")
    for command in ["decode", "import"] {
      let errors = try errors(66, command, "dumps")
      #expect(errors.contains("--recursive") && !errors.contains("libre decode"), "\(errors)")
      #expect(try sandbox.run(command, "--recursive", "dumps").status == 0)
    }
  }

  @Test(
    "JSON, XML and tables of other programs are reported as unknown formats, not as hex with an error",
    arguments: ["{\"a\":1}", "<a/>", "time,glucose\n2024-05-02T10:15:00Z,104\n", "day;value\n1;2\n"])
  func otherLanguages(text: String) throws {
    try sandbox.write(text, to: "file")
    let errors = try errors(65, "decode", "file")
    #expect(!errors.contains("hex digit") && errors.contains("libre formats"), "\(errors)")
  }

  @Test("a store is not accepted as a dump, and the error names the commands for a store")
  func store() throws {
    #expect(try sandbox.run("add", "104", "--store", "s.sqlite").status == 0)
    let errors = try errors(65, "decode", "s.sqlite")
    #expect(errors.contains("--store") && errors.contains("store merge"), "\(errors)")
    #expect(try sandbox.run("store", "merge", "s.sqlite").status == 0)
  }

  @Test("the error for another kind of compression names the program that unpacks it")
  func packed() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    for (script, word) in [
      ("xz -k a.hex", "xz -dc"), ("bzip2 -k a.hex; mv a.hex.bz2 a.hex.xz", "bzip2 -dc"),
      ("tar -cf a.hex.xz a.hex", "tar -xf"),
    ] {
      let made = try sandbox.shell("rm -f a.hex.xz; \(script)")
      // A machine without the program has nothing to read either.
      guard made.status == 0 else { continue }
      #expect(try errors(65, "decode", "a.hex.xz").contains(word), "\(word)")
    }
  }

  @Test("a second store that does not exist is reported by name")
  func missingStore() throws {
    let errors = try errors(66, "store", "merge", "nosuch.sqlite")
    #expect(errors.contains("nosuch.sqlite") && !errors.contains("libre read"), "\(errors)")
  }

  @Test("a failed write is reported with its real reason, not always as missing space")
  func unwritable() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    let missing = try errors(73, "convert", "a.hex", "--to", "raw", "--out", "no/such/a.bin")
    #expect(missing.contains("mkdir -p no/such") && !missing.contains("space"), "\(missing)")
  }

  @Test("report writes PDF if the file name ends so, and refuses a name of another format")
  func reportFormats() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    for (option, name) in [("--out", "x.jpg"), ("--png", "x.jpg"), ("--svg", "x.png")] {
      let errors = try errors(64, "report", "a.hex", option, name)
      #expect(errors.contains(option) && errors.contains(name), "\(errors)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.path(name)))
    }
    #expect(try sandbox.run("report", "a.hex", "--out", "x.svg").errors.contains("or --svg x.svg"))
    let pdf = try sandbox.run("report", "a.hex", "--out", "x.pdf")
    if pdf.status == 0 {
      let head = try FileHandle(forReadingFrom: sandbox.url.appendingPathComponent("x.pdf")).read(upToCount: 5)
      #expect(head == Data("%PDF-".utf8))
    } else {
      #expect(pdf.status == 69 && pdf.errors.contains("chromium"), "\(pdf.errors)")
    }
    let without = try sandbox.run(["report", "a.hex", "--out", "y.pdf"], environment: ["PATH": sandbox.path("home")])
    #expect(without.status == 69 && without.errors.contains(".html"), "\(without.errors)")
    #expect(!FileManager.default.fileExists(atPath: sandbox.path("y.pdf")))
  }
}
