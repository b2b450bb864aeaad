// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct PlotCommandTests {
  private let sandbox = Sandbox.new(["active.hex": "dump.hex"])

  private func plot(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try sandbox.run(["plot"] + arguments, environment: environment)
  }

  @Test("plot of a dump shows values over local time, in the given width, with the last value above")
  func dump() throws {
    let outcome = try plot(
      "dump.hex", "--read-at", "2024-05-02T10:15:00Z", "--width", "60", "--time-zone", "Asia/Kathmandu")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.lines[0].contains("mg/dL at 15:5") && outcome.lines[0].hasSuffix("48 values; Asia/Kathmandu"))
    let picture = outcome.lines.dropFirst(2).prefix { !$0.isEmpty }
    #expect(picture.count >= 19 && picture.allSatisfy { $0.count <= 60 })
    #expect(picture.contains { line in line.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) } })
    #expect(outcome.text.contains("70–180 mg/dL") && outcome.text.contains("Not for treatment decisions."))
    #expect(!outcome.text.contains("\u{1B}"))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: sandbox.path("data")).isEmpty)
  }

  @Test(
    "plot uses ASCII if the terminal supports nothing else or if the user asks for it, and Braille with any UTF-8",
    arguments: [["TERM": "linux"], ["LC_ALL": "C"], ["LC_CTYPE": "POSIX", "LANG": "C.UTF-8"]])
  func plain(environment: [String: String]) throws {
    let outcome = try plot("dump.hex", "--width", "60", environment: environment)
    #expect(outcome.status == 0 && outcome.output.allSatisfy { $0 < 0x80 }, "\(outcome.text)")
    #expect(outcome.text.contains("*"))
    // The same for each environment, so that one comparison is enough.
    if environment == ["LC_ALL": "C"] {
      #expect(try plot("dump.hex", "--width", "60", "--ascii").text == outcome.text)
      #expect(try plot("dump.hex", environment: ["LANG": "sr_RS.UTF-8@latin"]).output.contains { $0 >= 0x80 })
    }
  }

  @Test("plot of the store shows the last 24 hours or the given period")
  func store() throws {
    try sandbox.done("read", "--reader", "sim:active", "--store", "store.sqlite")
    #expect(try plot("--store", "store.sqlite", "--width", "80").lines[0].contains("the last of 48 values"))
    let shorter = try plot("--store", "store.sqlite", "--from", "-2h")
    #expect(!shorter.lines[0].contains("48 values") && shorter.lines[0].contains("mg/dL at"))
  }
}
