// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct ImportPipeTests {
  @Test("a memory from a pipe is imported like a file, compressed or not", arguments: [false, true])
  func memory(isPacked: Bool) throws {
    let sandbox = try Sandbox()
    try sandbox.copy("active.hex", to: "dump.hex")
    let outcome = try sandbox.shell(
      "\(isPacked ? "gzip -c" : "cat") dump.hex | \"$LIBRE\" import - --store store.sqlite")
    #expect(outcome.status == 0 && outcome.text.contains("48 new values"), "\(outcome.errors)")
    let again = try sandbox.run("import", "dump.hex", "--store", "store.sqlite")
    #expect(again.status == 0 && again.text.contains("0 new values, 48 known"), "\(again.text)")
  }
}
