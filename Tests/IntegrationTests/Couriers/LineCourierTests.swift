// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SampleSync

@Suite("The line courier", .startsProcesses)
struct LineCourierTests {
  let folder = try? TemporaryDirectory(isInMemory: true)

  private func failure(_ path: String) async -> Verdict? {
    await .of { () async throws(Verdict) in
      try await LineCourier(file: path).append(Array("a\n".utf8), timeoutSeconds: ampleSeconds)
    }
  }

  /// Root may, unless it is a container's.
  private static var canMount: Bool {
    guard let folder = try? TemporaryDirectory() else { return false }
    return (try? folder.run("sh", "-c", "mkdir d && mount -t tmpfs tmpfs d && umount d")) != nil
  }

  private func mode(_ path: String) -> mode_t {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0
  }

  @Test("creates a file that only its owner can access, and appends to it")
  func appends() async throws {
    let path = try #require(folder).path("new.ndjson")
    let courier = LineCourier(file: path)
    try await courier.append(Array("{\"a\":1}\n{\"a\":2}\n".utf8), timeoutSeconds: ampleSeconds)
    try await courier.append([], timeoutSeconds: ampleSeconds)
    try await courier.append(Array("no end".utf8), timeoutSeconds: ampleSeconds)
    try await courier.append([0, 0xFF, 10], timeoutSeconds: ampleSeconds)
    let expected = Array("{\"a\":1}\n{\"a\":2}\nno end\n".utf8) + [0, 0xFF, 10]
    #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == expected)
    #expect(mode(path) == 0o600)
  }

  @Test("completes a line that a crash cut off, and does not change the mode of the file")
  func torn() async throws {
    let path = try #require(folder).path("torn")
    try Data("whole\n{\"mgdl\":10".utf8).write(to: URL(filePath: path))
    chmod(path, 0o640)
    for _ in 0..<2 { try await LineCourier(file: path).append(Array("next\n".utf8), timeoutSeconds: ampleSeconds) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole\n{\"mgdl\":10\nnext\nnext\n")
    #expect(mode(path) == 0o640)
  }

  @Test("does not mix lines when several processes append at the same time")
  func together() async throws {
    let path = try #require(folder).path("shared")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let line = String(repeating: "\(number % 10)", count: 5000 + number) + "\n"
          for _ in 0..<5 { try await LineCourier(file: path).append(Array(line.utf8), timeoutSeconds: ampleSeconds) }
        }
      }
      try await group.waitForAll()
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 100)
    #expect(lines.allSatisfy { Set($0).count == 1 })
    #expect(lines.map(\.count).sorted() == (0..<20).flatMap { [Int](repeating: 5000 + $0, count: 5) })
  }

  @Test("reports what is wrong with a path, and how to fix it")
  func badPaths() async throws {
    let folder = try #require(folder)
    #expect(
      await failure(folder.path("no/file"))
        == .misdirected(
          reason: "\(folder.path("no/file")): No such file or directory; create its folder, or choose another file"))
    #expect(
      await failure(folder.url.path)
        == .misdirected(reason: "\(folder.url.path): Is a directory; choose a writable file"))
    let pipe = folder.path("pipe")
    mkfifo(pipe, 0o600)
    #expect(await failure(pipe) == .misdirected(reason: "\(pipe) is not a regular file; choose another file"))
    #expect(await failure("a\0b") == .misdirected(reason: "the path of the file contains a NUL"))
  }

  @Test("leaves the file unchanged when the disk is full", .enabled("a small disk cannot be mounted") { Self.canMount })
  func fullDisk() async throws {
    let folder = try #require(folder)
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    try folder.run("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk)
    defer { _ = try? folder.run("umount", disk) }
    let path = disk + "/lines"
    let courier = LineCourier(file: path)
    try await courier.append(Array("first\n".utf8), timeoutSeconds: ampleSeconds)
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
    await #expect(throws: Verdict.unavailable(reason: "\(path): No space left on device")) {
      try await courier.append(long, timeoutSeconds: ampleSeconds)
    }
    try await courier.append(Array("second\n".utf8), timeoutSeconds: ampleSeconds)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "first\nsecond\n")
  }

  @Test("passes whole lines to the writer of standard output")
  func writer() async throws {
    let written = Mutex<[[UInt8]]>([])
    let courier = LineCourier { (lines: [UInt8]) throws(Verdict) in
      if lines == Array("bad\n".utf8) { throw .unavailable(reason: "closed") }
      written.withLock { $0.append(lines) }
    }
    try await courier.append(Array("a\nb".utf8), timeoutSeconds: ampleSeconds)
    await #expect(throws: Verdict.unavailable(reason: "closed")) {
      try await courier.append(Array("bad\n".utf8), timeoutSeconds: ampleSeconds)
    }
    #expect(written.withLock { $0 } == [Array("a\nb\n".utf8)])
  }

  @Test("its thread survives a write to a closed connection, and does not change the handling of SIGPIPE")
  func brokenPipe() async throws {
    let result = try await CourierThread("test").perform(within: .seconds(ampleSeconds)) {
      _ throws(Verdict) -> [Int32] in
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      defer { close(ends[1]) }
      let written = write(ends[1], "x", 1)
      return [Int32(written), errno]
    }
    #expect(result == [-1, EPIPE])
  }
}
