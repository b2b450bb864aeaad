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
  static let folder = Repository.root.appendingPathComponent("SensorDumps/traces", isDirectory: true)
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  static func text(of name: String) throws -> String {
    String(decoding: try Repository.bytes(at: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  /// The memory that the header of a recording names.
  static func truth(of text: String) throws -> MemoryImage {
    let named = try #require(text.firstMatch(of: /the sensor of libre1\/(\S+)\.hex/)?.1)
    let file = Repository.dumps.appendingPathComponent("\(named).hex")
    return try DumpDetector(formats: [HexDump()]).parse(Repository.bytes(at: file)).image
  }

  /// Expects what was read to be those blocks of the truth.
  static func expect(_ image: MemoryImage, toBe truth: MemoryImage) {
    #expect(image.uid == nil, "it was withheld")
    #expect(image.readAt == truth.readAt && image.bytes.count == 344)
    for block in 0..<43 where !image.missingBlocks.contains(block) {
      #expect(image.bytes[block * 8..<block * 8 + 8] == truth.bytes[block * 8..<block * 8 + 8], "block \(block)")
    }
  }

  private func trace(_ name: String) throws -> Trace {
    try Trace(parsing: Array(Self.text(of: name).utf8))
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

  @Test("a recording is read as the memory of its dump", arguments: names)
  func memory(name: String) async throws {
    let report = try await replay(try trace(name)).report
    #expect((report.failure != nil) == name.hasPrefix("x-") && report.isRecorded)
    #expect(report.image.missingBlocks.isEmpty == (report.failure == nil))
    Self.expect(report.image, toBe: try Self.truth(of: Self.text(of: name)))
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
