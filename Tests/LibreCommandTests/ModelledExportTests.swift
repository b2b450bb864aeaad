// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

struct ModelledExportTests {
  @Test("an export of the values of the reader's model is imported as the raw counts and the factory's values")
  func roundTrip() throws {
    let sandbox = try Sandbox()
    try ImportedStore.copy(to: "one.sqlite", in: sandbox, readAt: "file")
    let exported = try sandbox.run(
      "export", "--to", "ndjson", "--ring", "all", "--calibration", "reader", "--store", "one.sqlite")
    try sandbox.write(exported.output, to: "out.ndjson")
    #expect(try exported.ndjson().allSatisfy { $0["calibration"]["series"] == .string("store") })
    #expect(try exported.ndjson().allSatisfy { $0["calibration"]["software"] == .string("LibreLink 1.3 to 2.4") })
    _ = try sandbox.run("import", "out.ndjson", "--store", "two.sqlite")
    let all = ["--from", "all", "--ring", "all", "--ndjson"]
    let (one, two) = try (
      sandbox.run(["history", "--store", "one.sqlite"] + all), sandbox.run(["history", "--store", "two.sqlite"] + all)
    )
    #expect(try one.ndjson().map { $0["glucose_mg_dl"] } == two.ndjson().map { $0["glucose_mg_dl"] })
    #expect(try two.ndjson().count == 48)
    let revisions = try sandbox.run(["history", "--revisions", "--store", "two.sqlite"] + all).ndjson()
    #expect(revisions.count == 48 && revisions.allSatisfy { $0["calibration"]["model"] == .string("factory") })
  }
}
