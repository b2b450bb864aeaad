// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The packed C structure in which a Proxmark3 client stores an ISO 15693 tag: its `.bin` file (DumpFormats/Formats,
/// "Binary"). Only the length distinguishes its versions (read: `include/iso15.h` at `05912ff`, at `1c8c3b78`, and, v5,
/// later).
struct ProxmarkTag {
  let uid: SensorUID?
  let memory: [UInt8]

  init(_ bytes: [UInt8]) throws(DumpError) {
    guard let lockCount = Self.lockCounts[bytes.count] else {
      throw .notThisFormat(lacks: "the length of the client's structure, 2139, 2235 or 2332 bytes")
    }
    let uid = Array(bytes[..<8])
    do {
      self.uid = try Self.uid(uid)
    } catch {
      throw .badField("uid", value: HexText.string(of: uid))
    }
    let bytesPerPage = Int(bytes[12])
    // The second byte exists only with room for 256 pages.
    let pageCount = Int(bytes[13]) | (lockCount == 256 ? Int(bytes[14]) << 8 : 0)
    let byteCount = pageCount * bytesPerPage
    guard bytesPerPage > 0 else { throw .badField("bytesPerPage", value: "0") }
    guard pageCount > 0, byteCount <= Self.memorySize else { throw .badField("pagesCount", value: "\(pageCount)") }
    let start = bytes.count - Self.tailSize - Self.memorySize
    memory = Array(bytes[start..<start + byteCount])
  }

  func dump() throws(DumpError) -> Dump {
    try DumpLength.check(memory)
    return ProxmarkDefect.marked(Dump(image: MemoryImage(bytes: memory, uid: uid)))
  }

  /// A UID in the client's byte order, or the opposite one; nil for zeros, and for the placeholder of an unknown UID.
  static func uid(_ bytes: [UInt8]) throws(UIDError) -> SensorUID? {
    if bytes.count == 8, bytes.allSatisfy({ $0 == 0 }) { return nil }
    let uid = try SensorUID(printed: HexText.string(of: bytes.reversed()))
    return isPlaceholder(uid) ? nil : uid
  }

  /// True for E0 before zeros, which the client writes if an old file of its own has no UID (read: `fileutils.c`).
  static func isPlaceholder(_ uid: SensorUID) -> Bool { uid.bits << 8 == 0 }
  static func isLength(_ count: Int) -> Bool { lockCounts[count] != nil }

  private static let lockCounts = [2139: 64, 2235: 160, 2332: 256]
  private static let memorySize = 2048
  private static let tailSize = 12
}
