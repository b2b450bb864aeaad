// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import HostSystem
import TestSupport
import Testing

struct FileSystemTests {
  /// The size limit of a dump, 64 MiB.
  private let limit = 67_108_864

  @Test("reads a complete file, also an empty one", arguments: [0, 1, 344, 65_535, 65_536, 65_537, 200_000])
  func read(count: Int) throws {
    let folder = try TemporaryDirectory()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(try FileSystem.read(try folder.write(bytes, to: "file"), limit: limit) == bytes)
  }

  @Test("reports why a file cannot be read")
  func unreadable() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("x", to: "file")
    #expect(throws: InputError.notFound) { try FileSystem.read(folder.path + "/nothing", limit: limit) }
    #expect(throws: InputError.notFound) { try FileSystem.read(file + "/below", limit: limit) }
    #expect(throws: InputError.notFound) { try FileSystem.read("", limit: limit) }
    #expect(throws: InputError.isFolder) { try FileSystem.read(folder.path, limit: limit) }
  }

  @Test("refuses a file larger than the limit, before reading the first byte if the size is known")
  func large() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("", to: "large")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 10_737_418_240)
    try handle.close()
    #expect(throws: InputError.tooLarge(found: 10_737_418_240, limit: 67_108_864)) {
      try FileSystem.read(path, limit: limit)
    }
    #expect(throws: InputError.tooLarge(found: nil, limit: 67_108_864)) {
      try FileSystem.read("/dev/zero", limit: limit)
    }
    #expect(try FileSystem.read("/dev/null", limit: limit) == [])
  }

  @Test("does not replace a device by a file")
  func device() throws {
    let folder = try TemporaryDirectory()
    let link = folder.path + "/full"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/full")
    #expect(throws: OutputError.self) { try FileSystem.write([1], to: link) }
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == "/dev/full")
  }

  @Test("returns the modification time of regular files only")
  func modificationTime() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("x", to: "file")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_714_644_900)], ofItemAtPath: path)
    #expect(FileSystem.modificationTime(of: path) == 1_714_644_900)
    #expect(FileSystem.modificationTime(of: folder.path) == nil)
    #expect(FileSystem.modificationTime(of: "/dev/null") == nil)
    #expect(FileSystem.modificationTime(of: folder.path + "/nothing") == nil)
  }
}
