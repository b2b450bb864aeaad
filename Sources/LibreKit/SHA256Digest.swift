// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Crypto

/// SHA-256 as lower-case hex.
enum SHA256Digest {
  static func hex(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return text(of: hash.finalize())
  }

  /// The digest of bytes and the pieces that follow them.
  static func hex<Failure>(of head: [UInt8], _ next: () throws(Failure) -> [UInt8]?) throws(Failure) -> String {
    var hash = SHA256()
    hash.update(data: head)
    while let piece = try next() { hash.update(data: piece) }
    return text(of: hash.finalize())
  }

  private static func text(of digest: SHA256.Digest) -> String {
    HexText.lowercase(of: digest.withUnsafeBytes { Array($0) })
  }
}
