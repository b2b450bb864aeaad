// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A program in `Examples` that decodes an archive on an engine of other people.
struct ExampleProgram {
  /// Its path in `Examples`.
  let path: String

  /// Why a test of an engine is skipped.
  static let absence = "the engine is not installed; run tools/install examples"

  private static let values = ProcessInfo.processInfo.environment
  /// The directory into which `tools/install examples` puts packages of PyPI.
  private static let packages =
    values["LIBRE_ENGINES"] ?? Repository.root.appendingPathComponent(".build/engines").path

  /// True if all of these packages of PyPI are installed, by the names of their directories.
  static func has(_ names: String...) -> Bool {
    names.allSatisfy { FileManager.default.fileExists(atPath: "\(packages)/\($0)") }
  }

  /// Runs the program in the sandbox.
  func run(_ arguments: [String], input: [UInt8] = [], in sandbox: Sandbox) throws -> Outcome {
    let program = Repository.root.appendingPathComponent("Examples/\(path)").path
    return try sandbox.run(
      program: "/usr/bin/env", (path.hasSuffix(".py") ? ["python3", program] : [program]) + arguments, input: input,
      environment: Self.environment)
  }

  /// The rows of a Parquet file, or of a directory of such files in the order of their names.
  static func rows(ofParquet path: String, in sandbox: Sandbox) throws -> [JSONValue] {
    let program = """
      import json, sys, pyarrow.parquet
      for row in pyarrow.parquet.read_table(sys.argv[1]).to_pylist(): print(json.dumps(row, default=str))
      """
    let outcome = try sandbox.run(
      program: "/usr/bin/env", ["python3", "-c", program, path], environment: environment)
    guard outcome.status == 0 else { throw ProgramRun.Failure(program: "pyarrow", output: outcome.errors) }
    return try outcome.ndjson()
  }

  private static let environment = [
    "PATH": ForeignPython.path, "PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1",
    // Spark asks for the address of the machine's name, which a container may not know.
    "SPARK_LOCAL_IP": "127.0.0.1",
    // An empty file is then an empty partition, for which Spark starts a process too. A job has them after a filter.
    "PYSPARK_SUBMIT_ARGS": "--conf spark.hadoopRDD.ignoreEmptySplits=false pyspark-shell",
  ]
}
