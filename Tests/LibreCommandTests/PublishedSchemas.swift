// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// The schemas as `libre schema` prints them, each printed once in a run of the tests.
enum PublishedSchemas {
  /// What `libre schema` takes: the documents' names without `libre.` and `/1`.
  static let names = [
    "reading", "dump", "readers", "reader_change", "doctor", "import", "imports", "history", "sample", "latest",
    "sensors", "stats", "cohort",
    "comparison", "error", "status", "sinks", "sync", "batch", "outbox", "probe", "sink_types", "log", "config",
    "memory", "find", "alert", "alerts", "formats", "scenarios", "known_readers", "flipper_files", "meters",
    "meter_reading",
    "meter_record", "blood_pressure", "bridges",
  ]

  private static let printed = Result {
    let sandbox = try Sandbox()
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try sandbox.run("schema", $0)) })
  }

  /// The run of the command for each name.
  static func outcomes() throws -> [String: Outcome] { try printed.get() }
}
