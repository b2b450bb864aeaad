// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import TestSupport
import Testing

/// The programs in `Examples` that decode an archive (libre/DecodeAnArchive).
@Suite("Examples for an archive", .onOwnThreads, .startsProcesses)
struct ArchiveExamplesTests {
  private static let hasSpark =
    ExampleProgram.has("pyspark", "pyarrow", "pandas")
    && ForeignPython.path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/java") }
  private static let absence = Comment(rawValue: ExampleProgram.absence)

  @Test(
    "Spark answers every memory with a line in order, past bad memories and an empty partition",
    .enabled(if: hasSpark, absence))
  func sparkLines() throws {
    let archive = try Archive(count: TestTier.rounds(3_000, full: 30_000))
    let outcome = try ExampleProgram(path: "Spark/decode.py").run(
      [archive.parts.joined(separator: ","), "readings", "--master", "local[2]"], in: archive.sandbox)
    try #require(outcome.status == 0, "\(outcome.errors)")
    let parts = try FileManager.default.contentsOfDirectory(atPath: archive.sandbox.path("readings"))
      .filter { $0.hasPrefix("part-") }.sorted()
    let lines = try parts.map {
      try String(contentsOfFile: archive.sandbox.path("readings/\($0)"), encoding: .utf8).split(separator: "\n")
    }
    #expect(lines.map(\.isEmpty) == [false, true, false])
    let answers = try lines.joined().map { try JSONValue(parsing: $0.utf8) }
    #expect(answers.map { $0["sensor"]["uid"].text } == archive.uids)
    #expect(answers.map { $0["input"]["patient"].text } == archive.patients)
  }

  @Test(
    "DuckDB writes a row for each memory, and each sample once",
    .enabled(if: ExampleProgram.has("duckdb", "pyarrow"), absence))
  func duckDB() throws {
    let archive = try Archive(count: 300)
    let outcome = try ExampleProgram(path: "DuckDB/decode.py").run(
      [archive.parts[0], "."], in: archive.sandbox)
    try #require(outcome.status == 0, "\(outcome.errors)")
    let rows = try ExampleProgram.rows(ofParquet: "readings.parquet", in: archive.sandbox)
    let uids = Array(archive.uids.prefix(rows.count))
    #expect(rows.count == 150)
    #expect(rows.map { $0["uid"].text } == uids)
    #expect(rows.filter { $0["uid"].text == nil }.allSatisfy { $0["error"].text != nil })
    let samples = try ExampleProgram.rows(ofParquet: "samples.parquet", in: archive.sandbox)
    #expect(samples.count == 32 * Set(uids.compactMap(\.self)).count)
    #expect(Set(samples.map { $0["id"].text }).count == samples.count)
  }

  @Test(
    "pandas gets the samples of all memories that can be decoded",
    .enabled(if: ExampleProgram.has("pandas", "pyarrow"), absence))
  func pandas() throws {
    let archive = try Archive(count: 300)
    let outcome = try ExampleProgram(path: "Pandas/decode.py").run(
      [archive.parts[0], "samples.parquet"], in: archive.sandbox)
    try #require(outcome.status == 0, "\(outcome.errors)")
    let uids = Set(archive.uids.prefix(150).compactMap(\.self))
    #expect(outcome.lines.dropFirst().count == uids.count)
    let samples = try ExampleProgram.rows(ofParquet: "samples.parquet", in: archive.sandbox)
    #expect(samples.count == 48 * uids.count && Set(samples.compactMap { $0["uid"].text }) == uids)
  }

  @Test(
    "bare memories keep their samples, and each of their sensors counts by itself",
    .enabled(if: ExampleProgram.has("duckdb", "pandas", "pyarrow"), absence))
  func bareMemories() throws {
    let sandbox = try Sandbox()
    // Two sensors, each in two scans of which the second has one history value more.
    let memories = ([1, 2] as [UInt64]).flatMap { seed in
      [2_400, 2_415].map { HexText.string(of: SimulatedSensor(seed: seed).image(atAge: $0).bytes) }
    }
    try sandbox.write(memories.map { "\($0)\n" }.joined(), to: "bare.hexl")
    let duckDB = try ExampleProgram(path: "DuckDB/decode.py").run(["bare.hexl", "."], in: sandbox)
    try #require(duckDB.status == 0, "\(duckDB.errors)")
    let samples = try ExampleProgram.rows(ofParquet: "samples.parquet", in: sandbox)
    #expect(samples.count == 2 * 33 && Set(samples.map { $0["fingerprint"].text }).count == 2)
    let pandas = try ExampleProgram(path: "Pandas/decode.py").run(["bare.hexl", "pandas.parquet"], in: sandbox)
    try #require(pandas.status == 0, "\(pandas.errors)")
    #expect(pandas.lines.dropFirst().count == 2)
  }

  @Test(
    "GNU parallel keeps the order of the lines",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel"), absence))
  func parallel() throws {
    let archive = try Archive(count: 300)
    let outcome = try ExampleProgram(path: "Parallel/decode.sh").run(
      ["--block", "20k", "--jobs", "2"], input: archive.text, in: archive.sandbox)
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.ndjson().map { $0["sensor"]["uid"].text } == archive.uids)
  }
}

/// An archive of memories, each of another sensor and patient; one in a hundred is bad. It has two files, and an empty
/// one between.
private struct Archive {
  let sandbox: Sandbox
  /// The UID of each memory; nil for a bad one.
  let uids: [String?]
  /// The patient in each line, a member that libre does not know; nil for a line that is not JSON.
  let patients: [String?]
  let text: [UInt8]
  let parts = ["first.ndjson", "empty.ndjson", "second.ndjson"]

  init(count: Int) throws {
    sandbox = try Sandbox()
    let memory = SimulatedSensor(seed: 1).image(atAge: 2_400).bytes.map { String(format: "%02X", $0) }.joined()
    uids = (0..<count).map { $0 % 100 == 17 ? nil : String(format: "E007A000%08X", $0) }
    patients = (0..<count).map { $0 % 100 == 17 && $0 / 100 % 3 != 1 ? nil : "P\($0)" }
    let lines = uids.enumerated().map { number, uid in
      guard let uid else {
        return ["no JSON", "{\"schema\": \"libre.dump/1\", \"patient\": \"P\(number)\"}", "{"][number / 100 % 3]
      }
      return """
        {"schema": "libre.dump/1", "patient": "P\(number)", "read_at": "2025-06-12T21:45:02Z", "sensor": {"uid": "\(uid)", \
        "patch_info": "DF0000000000"}, "memory": {"bytes": "\(memory)", "missing_blocks": []}}
        """
    }
    let halves = [lines.prefix(count / 2), lines.dropFirst(count / 2)].map { $0.map { "\($0)\n" }.joined() }
    for (part, content) in zip(parts, [halves[0], "", halves[1]]) { try sandbox.write(content, to: part) }
    text = Array(halves.joined().utf8)
  }
}
