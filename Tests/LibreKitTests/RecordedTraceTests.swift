// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Foundation
import LibreKit
import NFCTransport
import TestSupport
import Testing

/// Tests the recordings in SensorDumps/traces; the memory of each is a dump next to it.
@Suite("Our recordings")
struct RecordedTraceTests {
  private static let folder = Repository.root.appendingPathComponent("SensorDumps/traces", isDirectory: true)
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  private func trace(_ name: String) throws -> Trace {
    try Trace(parsing: Repository.bytes(at: Self.folder.appendingPathComponent(name)))
  }

  private func replay(_ trace: Trace) async throws -> (report: ScanReport, lines: [String]) {
    let (lines, recording) = AsyncStream.makeStream(of: String.self)
    let reader = TracingReader(
      ReplayingReader(trace, address: "sim:replay"), showsIdentifiers: false, tool: "libre 0.1.0",
      write: { recording.yield($0) })
    let report = await ScanRunner.run(
      on: reader, limit: .seconds(60), now: { Instant(secondsSince1970: 0) })
    recording.finish()
    return (report, await lines.reduce(into: []) { $0.append($1) })
  }

  /// Returns the memory that the header of the recording names.
  private func truth(of trace: Trace) throws -> MemoryImage {
    let named = trace.lines.compactMap { line -> Substring? in
      guard case .comment(let text) = line else { return nil }
      return text.firstMatch(of: /the sensor of libre1\/(\S+)\.hex/)?.1
    }
    let file = Repository.dumps.appendingPathComponent("\(try #require(named.first)).hex")
    return try DumpDetector(formats: [HexDump()]).parse(Repository.bytes(at: file)).image
  }

  @Test("a recording is read as the memory of its dump", arguments: names)
  func memory(name: String) async throws {
    let trace = try trace(name)
    let truth = try truth(of: trace)
    let report = try await replay(trace).report
    #expect((report.failure != nil) == name.hasPrefix("x-"))
    #expect(report.image.readAt == truth.readAt)
    #expect(report.isRecorded)
    #expect(report.image.uid == nil, "it was withheld")
    #expect(report.image.missingBlocks.isEmpty == (report.failure == nil))
    for block in 0..<43 where !report.image.missingBlocks.contains(block) {
      let bytes = block * 8..<block * 8 + 8
      #expect(report.image.bytes[bytes] == truth.bytes[bytes], "block \(block)")
    }
  }

  @Test("every recorded question is asked again, and no other", arguments: names)
  func sameConversation(name: String) async throws {
    // In any order: a scan may change the order, and these recordings can still be used.
    func conversation(_ lines: [String]) -> [String] {
      lines.filter { $0.contains(" -> ") || $0 == "# tap" || $0.hasPrefix("# no tap:") }.sorted()
    }
    let trace = try trace(name)
    let replayed = try await replay(trace).lines
    #expect(conversation(replayed) == conversation(trace.lines.map(\.text)))
  }

  @Test("a truncated recording gives an error instead of a reading", arguments: names)
  func cutOff(name: String) async throws {
    let lines = try trace(name).lines.map(\.text)
    let lastAnswer = try #require(lines.lastIndex { $0.contains(" -> ") })
    for count in 0..<lastAnswer {
      let cut = try Trace(parsing: Array(lines[..<count].joined(separator: "\n").utf8))
      let report = try await replay(cut).report
      guard case .traceEnded = report.failure else {
        Issue.record("\(count) lines: \(String(describing: report.failure))")
        continue
      }
    }
  }
}
