// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Crypto
import HostSystem

/// SHA-256 as lower-case hex.
enum SHA256Digest {
  static func hex(of bytes: [UInt8]) -> String { HexText.string(of: SHA256.hash(data: bytes)).lowercased() }

  /// Of a file of any size, which is never in memory as a whole.
  static func hex(ofFileAt path: String) throws(LibreError) -> String {
    var hash = SHA256()
    try Files.reading { () throws(InputError) in
      let file = try FileReader(path)
      while let piece = try file.next() { hash.update(data: piece) }
    }
    return HexText.string(of: hash.finalize()).lowercased()
  }
}
