// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats

/// A format that gives the same answer to every file.
struct StubFormat: DumpFormat {
  let name: String
  let summary = "a format of the tests"
  let answer: Result<MemoryImage, DumpError>

  init(_ name: String, bytes: [UInt8]) {
    self.name = name
    answer = .success(MemoryImage(bytes: bytes))
  }

  init(_ name: String, refuses error: DumpError) {
    self.name = name
    answer = .failure(error)
  }

  func parse(_ file: [UInt8]) throws(DumpError) -> MemoryImage { try answer.get() }
}
