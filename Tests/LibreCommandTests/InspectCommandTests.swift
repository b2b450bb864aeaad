// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

struct InspectCommandTests {
  private let sandbox = Sandbox.new()

  @Test("inspect shows good and damaged memories of a file or of standard input, as text and as one document")
  func whole() throws {
    for name in ["active", "x-bad-body"] { try sandbox.copy("\(name).hex", to: "\(name).hex") }
    for name in ["active.hex", "x-bad-body.hex"] {
      let outcome = try sandbox.run("inspect", name)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(outcome.lines.first?.hasPrefix("\(name): hex, ") == true && outcome.lines.count > 60)
      let map = try sandbox.run("inspect", "--json", name).json()
      #expect(map["schema"] == .string("libre.memory/1") && map["source"]["format"] == .string("hex"))
      #expect(map["fields"].elements.compactMap { $0["size"].number }.reduce(0, +) == 344)
    }
    let bytes = try DumpBytes("active").bytes
    let piped = try sandbox.run(["inspect", "-", "--input-format", "raw", "--color", "always"], input: bytes)
    #expect(piped.status == 0 && piped.text.contains("\u{1B}["))
  }
}
