// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import HostSystem
import TestSupport
import Testing

@Suite("Writing a file piece by piece and replacing it atomically") struct AtomicFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("the new file replaces the old one only when it is complete; of two writers' files the last to finish stays")
  func replaces() throws {
    let path = try folder.write("before", to: "out.csv")
    let (one, other) = (try AtomicFile(path), try AtomicFile(path))
    for (draft, word) in [(one, "one "), (other, "other "), (one, "end"), (other, "end"), (one, "")] {
      try draft.append(bytes(word))
    }
    #expect(try text("out.csv") == "before")
    for (draft, content) in [(one, "one end"), (other, "other end")] {
      try draft.finish()
      #expect(try text("out.csv") == content)
    }
    #expect(try names == ["out.csv"])
  }

  @Test("an incomplete file leaves nothing behind, and the old file is unchanged")
  func givenUp() throws {
    let path = try folder.write("before", to: "out.csv")
    do {
      let draft = try AtomicFile(path)
      try draft.append(bytes("half"))
    }
    do { _ = try AtomicFile(folder.path + "/new.csv") }
    // SQLite leaves the journal of a database that it could not complete.
    do {
      let draft = try AtomicFile(folder.path + "/new.sqlite", isDatabase: true)
      try FileSystem.begin(try #require(draft.name) + "-journal")
    }
    #expect(try names == ["out.csv"])
    #expect(try text("out.csv") == "before")
  }

  @Test("other files are never touched, whatever their names are")
  func neighbours() throws {
    let others = ["out.csv.part", "out.csv.tmp", "out.csv.\(getpid()).tmp"]
    for name in others { try folder.write("mine", to: name) }
    let secret = try folder.write("secret", to: "secret")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/.part", withDestinationPath: secret)
    try FileSystem.write(bytes("new"), to: folder.path + "/out.csv")
    for name in others { #expect(try text(name) == "mine") }
    #expect(try text("secret") == "secret" && text("out.csv") == "new")
    #expect(try names == ([".part", "out.csv", "secret"] + others).sorted())
  }

  @Test("the file is written to the target of a link, even if it does not exist yet, and the link stays")
  func links() throws {
    try folder.write("before", to: "there/target")
    for (link, destination) in [("relative", "there/target"), ("empty", "there/nothing"), ("chain", "empty2")] {
      try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(link)", withDestinationPath: destination)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/empty2", withDestinationPath: folder.path + "/there/last")
    for (link, target) in [("relative", "target"), ("empty", "nothing"), ("chain", "last")] {
      try FileSystem.write(bytes(link), to: "\(folder.path)/\(link)")
      #expect(try text("there/\(target)") == link)
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/\(link)")) != nil)
    }
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: "loop")
    #expect(throws: OutputError.self) { try FileSystem.write([1], to: folder.path + "/loop") }
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/loop")) == "loop")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/there").count == 3)
  }

  @Test("a pipe is written to and stays a pipe")
  func pipe() async throws {
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let draft = try AtomicFile(path, isPrivate: true)
    try draft.append(bytes("through"))
    try draft.finish()
    var buffer = [UInt8](repeating: 0, count: 64)
    #expect(read(reader, &buffer, buffer.count) == 7)
    #expect(Array(buffer.prefix(7)) == bytes("through"))
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(try names == ["pipe"])
  }

  @Test("a private file is readable by its owner only, even if it replaces a public one, and a long name is accepted")
  func mode() throws {
    let path = try folder.write("before", to: String(repeating: "n", count: 255))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    try FileSystem.write([1], to: path, isPrivate: true)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test("a full disk is reported, also behind a link, and the link and the old file are unchanged")
  func full() throws {
    let link = folder.path("full")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/full")
    for path in ["/dev/full", link] { #expect(throws: OutputError.self) { try FileSystem.write([1], to: path) } }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/full")
    let missing = #expect(throws: OutputError.self) { try AtomicFile(folder.path + "/no/file") }
    #expect(missing?.message.contains(folder.path + "/no/file") == true)
  }
}

struct FileSystemTests {
  /// The size limit of a dump, 64 MiB.
  private let limit = 67_108_864

  @Test("reads a complete file, also an empty one", arguments: [0, 1, 344, 65_535, 65_536, 65_537, 200_000])
  func read(count: Int) throws {
    let folder = try TemporaryDirectory()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(try FileSystem.read(try folder.write(bytes, to: "file"), limit: limit) == bytes)
  }

  @Test("reports why a file cannot be read, and has the modification time of regular files only")
  func unreadable() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("x", to: "file")
    for (path, error) in [
      (folder.path + "/nothing", .notFound), (file + "/below", .notFound), ("", .notFound), (folder.path, .isFolder),
    ] as [(String, InputError)] {
      #expect(throws: error) { try FileSystem.read(path, limit: limit) }
      #expect(FileSystem.modificationTime(of: path) == nil, "\(path)")
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_714_644_900)], ofItemAtPath: file)
    #expect(FileSystem.modificationTime(of: file) == 1_714_644_900)
    #expect(FileSystem.modificationTime(of: "/dev/null") == nil)
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
}
