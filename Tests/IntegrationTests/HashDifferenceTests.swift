// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import TestSupport
import Testing

@Suite("Hashes of other programs", .startsProcesses) struct HashDifferenceTests {
  @Test("random files have the digests and the codes that openssl prints, and the digests that sha1sum prints")
  func random() throws {
    let directory = try TemporaryDirectory()
    var draws = SplitMix64(seed: 50)
    var files: [String: [UInt8]] = [:]
    for number in 0..<TestTier.rounds(40, full: 2_000) {
      let bytes = draws.bytes(draws.number(0...2_000))
      try Data(bytes).write(to: URL(filePath: directory.path("\(number)")))
      files["\(number)"] = bytes
    }
    let key = draws.bytes(draws.number(1...200))
    let names = files.keys.sorted()
    func lines(_ program: String, _ arguments: String...) throws -> [Substring] {
      try directory.run(program, arguments + names).split(separator: "\n")
    }
    for function in HashFunction.allCases {
      let digests = try lines("openssl", "dgst", "-r", "-\(function)")
      #expect(digests == names.map { "\(function.hex(of: files[$0] ?? [])) *\($0)" })
      let codes = try lines(
        "openssl", "dgst", "-r", "-\(function)", "-mac", "HMAC", "-macopt", "hexkey:\(HexText.lowercase(of: key))")
      #expect(
        codes
          == names.map { "\(HexText.lowercase(of: function.authenticationCode(of: files[$0] ?? [], key: key))) *\($0)" }
      )
    }
    #expect(try lines("sha1sum") == names.map { "\(HashFunction.sha1.hex(of: files[$0] ?? []))  \($0)" })
  }
}
