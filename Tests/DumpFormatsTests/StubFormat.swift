// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import DumpFormats

/// A format that gives the same answer for every file.
struct StubFormat: DumpFormat {
  let name: String
  let aliases: [String]
  let summary = "a format of the tests"
  private let answer: Result<[DumpSequence.Element], DumpError>

  /// Finds these dumps and failures in every file.
  init(_ name: String, aliases: [String] = [], finds elements: [DumpSequence.Element]) {
    self.name = name
    self.aliases = aliases
    answer = .success(elements)
  }

  init(_ name: String, bytes: [UInt8]) { self.init(name, finds: [.success(Dump(image: MemoryImage(bytes: bytes)))]) }

  init(_ name: String, refuses error: DumpError) {
    self.name = name
    aliases = []
    answer = .failure(error)
  }

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence { DumpSequence(try answer.get()) }
}
