// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct ReportCommandTests {
  private let sandbox = Sandbox.new(["active.hex": "dump.hex"])

  private func report(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try sandbox.run(["report"] + arguments, environment: environment)
  }

  private func page(_ name: String = "libre-report.html") -> String { sandbox.text(of: name) }

  @Test("report of a dump is one page, and the store is not opened")
  func dump() throws {
    let outcome = try report("dump.hex", "--read-at", "2024-05-02T10:15:00Z", "--time-zone", "Europe/Rome")
    #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors == "libre: wrote libre-report.html\n")
    let page = page()
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("2024-05-02") && page.contains("Europe/Rome"))
    #expect(page.contains("Not for treatment decisions.") && page.contains("<svg"))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: sandbox.path("data")).isEmpty)
  }

  @Test("report can write the chart alone, as SVG and PNG, and to standard output")
  func pictures() throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let outcome = try report(
      "dump.hex", "--svg", "picture.svg", "--png", "picture.png", environment: ["PATH": path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors == "libre: wrote picture.svg\nlibre: wrote picture.png\n")
    let svg = try report("dump.hex", "--svg", "-")
    #expect(page("picture.svg") == svg.text && svg.errors.isEmpty)
    let png = try sandbox.bytes(of: "picture.png")
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && png.count > 10_000)
    #expect(!sandbox.has("libre-report.html"))
    #expect(try report("dump.hex", "--out", "-").text.hasPrefix("<!DOCTYPE html>"))
    // The error names a program to install if none makes PNG.
    let both = try report(
      "dump.hex", "--png", "other.png", "--out", "page.html", environment: ["PATH": "/nowhere"])
    #expect(both.status == 69 && both.errors.contains("librsvg2-bin") && both.errors.contains("rsvg-convert"))
    #expect(both.errors.contains("wrote page.html"))
    #expect(!sandbox.has("other.png"))
  }

  @Test("an empty period is an error that names it, the existing period and the way out, and nothing is written")
  func empty() throws {
    #expect(try report().status == 66)
    try ImportedStore.copy(in: sandbox)
    let outcome = try report("--store", "store.sqlite", "--from", "2023-01-01", "--to", "2023-01-31")
    #expect(outcome.status == 65 && outcome.errors.contains("no samples since 2023-01-01"), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("the newest is from 2024-05-02") && outcome.errors.contains("the oldest from 2024-05-0"))
    #expect(outcome.errors.contains("Try: libre report --from all"))
    #expect(!sandbox.has("libre-report.html"))
  }

  @Test("a memory without a date is in no period, and is left out beside dated ones, which is reported")
  func undated() throws {
    try sandbox.write(try DumpBytes("active").bytes, to: "raw.bin")
    let span = try report("raw.bin", "--from", "-3d")
    #expect(span.status == 65 && span.errors.contains("it is unknown when") && span.errors.contains("--read-at"))
    try sandbox.write(try DumpBytes("expired").bytes, to: "other.bin")
    let mixed = try report("other.bin", "dump.hex")
    #expect(mixed.status == 0 && mixed.errors.contains("samples are left out: it is unknown when"))
    #expect(page().contains("samples are left out, because it is unknown when their sensor was read"))
  }

  @Test("report never overwrites its input, and accepts a pipe")
  func itself() throws {
    let before = page("dump.hex")
    for option in ["--out", "--svg", "--png"] {
      let outcome = try report("dump.hex", option, "./dump.hex")
      #expect(outcome.status == 73 && outcome.errors.contains("is the same file"))
    }
    #expect(page("dump.hex") == before)
    try sandbox.done(["report", "-", "--out", "piped.html"], input: Array(before.utf8))
    #expect(page("piped.html").contains("<svg"))
    try sandbox.write("nothing", to: "bad.txt")
    let alone = try report("bad.txt", "--out", "alone.html")
    #expect(alone.status == 65 && alone.errors.contains("bad.txt") && !sandbox.has("alone.html"))
  }
}
