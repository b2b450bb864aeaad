// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport

/// Why bytes are not a readable Libre 1 memory, in the order in which LibreDocuments/Contract, "Other memories" asks.
enum SlowOutcome {
  /// nil for bytes that decode, of which `slow` is what they are if they are enough.
  static func error(_ bytes: [UInt8], _ slow: SlowMemory?) -> MemoryError? {
    guard let slow else { return otherKind(bytes) ?? .wrongLength(found: bytes.count, needed: 344) }
    if slow.isUnreadable { return otherKind(bytes) ?? .encryptedOrUnknown }
    return bodyError(slow, salvaging: false)
  }

  /// Of a memory of which something holds.
  static func bodyError(_ slow: SlowMemory, salvaging: Bool) -> MemoryError? {
    switch slow.body {
    case .ok, .torn: break
    case .bad where !salvaging:
      return .crcMismatch(
        region: "body", stored: UInt16(slow.bytes[24]) + 256 * UInt16(slow.bytes[25]),
        computed: BitwiseCRC.checksum(slow.bytes[26..<320]))
    case .absent where !salvaging:
      return .blockMissing(region: "body", blocks: BlockSet(slow.missing.filter { (3..<40).contains($0) }))
    case .absent where slow.missing.contains(39): return .undatable(blocks: BlockSet([39]))
    case .bad, .absent: break
    }
    if let index = slow.trendIndex, index > 15 { return .ringIndexOutOfRange(ring: .trend, index: index, slots: 16) }
    if let index = slow.historyIndex, index > 31 {
      return .ringIndexOutOfRange(ring: .history, index: index, slots: 32)
    }
    return nil
  }

  private static func otherKind(_ bytes: [UInt8]) -> MemoryError? {
    if SlowPro.holds(bytes) { return .unsupportedFamily(.librePro) }
    guard let first = bytes.first, first == 0 || first == 0xFF else { return nil }
    return bytes.allSatisfy { $0 == first } ? .blank(first) : nil
  }
}
