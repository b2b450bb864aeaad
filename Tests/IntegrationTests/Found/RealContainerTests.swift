// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import Foundation
import Libre1Core
import LibreKit
import TestSupport
import Testing

/// Files that real programs make of a memory: those that show bytes, and Python's own libraries of formats.
@Suite("Files of other programs", .startsProcesses)
struct RealContainerTests {
  @Test("a memory in a file of any of these programs is read whole, and nothing else is")
  func containers() throws {
    let memory = try #require(Scenario.named("active")).memory(seed: 7)
    let directory = try TemporaryDirectory()
    let source = directory.url.appendingPathComponent("memory.bin")
    let files = directory.url.appendingPathComponent("files")
    try Data(memory).write(to: source)
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let outcome = try ForeignPython.run(
      "containers.py", of: "IntegrationTests", [source.path, files.path], by: .python)
    try #require(outcome.status == 0, "\(outcome)")
    let names = try FileManager.default.contentsOfDirectory(atPath: files.path).sorted()
    // There are fewer where xxd and hexdump are not installed.
    #expect(names.count > 60)
    for name in names {
      #expect(try Self.memories(in: files.appendingPathComponent(name).path) == [memory], "\(name)")
    }
  }

  /// The memories of a file, each once; of a packet its first 344 bytes.
  private static func memories(in path: String) throws -> Set<[UInt8]> {
    try Set(DumpDecoder().open(path).dumps.map { Array(try $0.get().image.bytes.prefix(344)) })
  }
}
