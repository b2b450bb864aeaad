// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import NFCTransport
import Synchronization
import TestSupport

@testable import LibreKit

/// Recordings: refused with a line, or read, written and read again the same; and every question put to one ends, with
/// an answer or an error, as a whole scan of it does.
enum TraceTarget {
  static let all = [
    FuzzTarget(
      name: "trace", seeds: { Scenario.all.prefix(4).map { conversation(of: $0.image(seed: 1)) } },
      folders: ["SensorDumps/traces"],
      words: [
        "# libre-trace: 1", "# tap", "# removed", "# no-tap", "# read-at: ", "# reader: ", "# dialect: ", " -> ",
        "lost",
        "silent", "26 01 00", "02 2B", "02 A1 07", "02 20 00", "02 23 00 02", "00 ", "01 0F", "\n",
      ], testRuns: 200, run: run)
  ]

  /// What a reader that is traced writes while the sensor is read.
  static func conversation(of image: MemoryImage) -> [UInt8] {
    let lines = Lines()
    _ = try? CallingThread.run {
      let reader = TracingReader(
        SimulatedTag { _ in image }, showsIdentifiers: true, tool: "libre fuzz", write: { lines.add($0) })
      let report = await ScanRunner.run(
        on: reader, limit: .seconds(60), now: { image.readAt ?? .init(secondsSince1970: 0) })
      if let readAt = report.image.readAt { await reader.finish(readAt: readAt) }
    }
    return lines.bytes
  }

  private final class Lines: Sendable {
    private let text = Mutex("")
    func add(_ line: String) { text.withLock { $0 += line + "\n" } }
    var bytes: [UInt8] { Array(text.withLock { $0 }.utf8) }
  }

  private static func run(_ file: [UInt8]) throws {
    guard let trace = try? Trace(parsing: file) else { return }
    try require((try? Trace(parsing: Array(trace.text.utf8))) == trace, "written and read again it is the same")
    let lines = Lines()
    try CallingThread.run {
      let reader = TracingReader(
        ReplayingReader(trace, address: "replay:fuzz"), showsIdentifiers: false, tool: "fuzz", write: { lines.add($0) })
      await ask(reader)
      let report = await ScanRunner.run(
        on: reader, limit: .seconds(60), now: { .init(secondsSince1970: 0) })
      try DumpOracle.check(report.image)
    }
    try require((try? Trace(parsing: lines.bytes)) != nil, "what is recorded can be played")
  }

  /// One question of each kind in the first taps.
  private static func ask(_ reader: some TagReader) async {
    let requests: [ISO15693.Request] =
      [.inventory, .systemInformation, .patchInfo(.texasInstruments), .readBlock(0)]
      + ReadPlan(sections: [0..<3]).requests
    for _ in 0..<2 {
      do throws(TransportError) { try await reader.waitForTag(within: .zero) } catch { continue }
      for request in requests { _ = try? await reader.response(to: request) }
    }
  }
}
