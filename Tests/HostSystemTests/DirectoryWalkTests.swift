// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import HostSystem

struct DirectoryWalkTests {
  private func walk(_ folder: String, batch: Int = 4096) -> [Result<String, DirectoryWalk.Failure>] {
    Array(DirectoryWalk(folder, batch: batch))
  }

  @Test(
    "finds the files in the order of their complete paths, however few names it holds at a time",
    arguments: [1, 2, 3, 4096])
  func order(batch: Int) throws {
    let folder = try TemporaryDirectory()
    let names = [
      "B.hex", "a-b/1", "a.hex", "a/1", "a/b-c", "a/b/1/x", "a/b/2", "a/b0", "a/c", "a0", "aa/1", "b", "ä",
    ]
    for name in names.reversed() { try folder.write("x", to: name) }
    let expected = names.map { Result<String, DirectoryWalk.Failure>.success("\(folder.path)/\($0)") }
    #expect(walk(folder.path, batch: batch) == expected)
    #expect(walk(folder.path + "/", batch: batch) == expected)
  }

  @Test("skips hidden names and linked directories, and finds linked files; a walk over everything finds no link")
  func kinds() throws {
    let folder = try TemporaryDirectory()
    for name in ["c", ".hidden", ".git/config", "a/.x", "a/1", "..b"] { try folder.write("x", to: name) }
    for (link, target) in [("loop", "."), ("a/up", ".."), ("other", "a"), ("file", "c"), ("broken", "nothing")] {
      try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
    }
    #expect(walk(folder.path) == ["a/1", "broken", "c", "file"].map { .success(folder.path($0)) })
    // Neither does it find a device behind a link, or a pipe.
    try FileManager.default.createSymbolicLink(atPath: folder.path("null"), withDestinationPath: "/dev/null")
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for batch in [1, 4096] {
      let found = Array(DirectoryWalk(folder.path, .everything, batch: batch))
      let names = ["..b", ".git/config", ".hidden", "a/.x", "a/1", "c"]
      #expect(found == names.map { .success(folder.path($0)) })
    }
  }

  @Test("the directories in which the kernel shows itself are known by their place")
  func kernel() throws {
    let folder = try TemporaryDirectory()
    try folder.write("x", to: "proc/1")
    #expect(FileSystem.isOfKernel("/proc") && FileSystem.isOfKernel("/../proc"))
    #expect(!FileSystem.isOfKernel(folder.path("proc")) && !FileSystem.isOfKernel("/tmp"))
  }

  @Test("a directory without files has none, and a path that is missing or another file is a failure with that path")
  func failure() throws {
    let folder = try TemporaryDirectory()
    #expect(walk(folder.path) == [])
    try FileManager.default.createDirectory(atPath: folder.path + "/a/b", withIntermediateDirectories: true)
    #expect(walk(folder.path) == [])
    for path in [folder.path + "/nothing", try folder.write("x", to: "file"), ""] {
      #expect(walk(path) == [.failure(.init(path: path, error: .notFound))])
    }
  }

  @Test("a directory that disappears during the walk is a failure in its position, and the walk continues")
  func gone() throws {
    let folder = try TemporaryDirectory()
    for name in ["a", "b/1", "c/1"] { try folder.write("x", to: name) }
    var walk = DirectoryWalk(folder.path)
    #expect(walk.next() == .success(folder.path + "/a"))
    try FileManager.default.removeItem(atPath: folder.path + "/b")
    #expect(walk.next() == .failure(.init(path: folder.path + "/b", error: .notFound)))
    #expect(walk.next() == .success(folder.path + "/c/1"))
    #expect(walk.next() == nil && walk.next() == nil)
  }

  @Test("files and directories whose names are not UTF-8 are found in their order, and can be opened")
  func notUTF8() throws {
    let folder = try TemporaryDirectory()
    for name in ["a", "c"] { try folder.write("x", to: name) }
    let directory = "\(folder.path)/b\u{10FEFF}"
    try FileSystem.makePrivate("\(directory)/\u{10FEE9}t\u{10FEE9}")
    try FileSystem.append(Array("memory".utf8), to: "\(directory)/\u{10FEE9}t\u{10FEE9}")
    #expect(access(folder.path.utf8CString.dropLast() + [0x2F, 0x62, -1, 0x2F, -23, 0x74, -23, 0], F_OK) == 0)
    let found = try walk(folder.path).map { try $0.get() }
    #expect(found == [folder.path + "/a", "\(directory)/\u{10FEE9}t\u{10FEE9}", folder.path + "/c"])
    #expect(try FileSystem.read(found[1], limit: 10) == Array("memory".utf8))
    #expect(FileSystem.resolved(found[1]) == found[1])
    try FileSystem.removeFolder(directory)
  }
}
