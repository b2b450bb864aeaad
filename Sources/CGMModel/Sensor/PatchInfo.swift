// SPDX-License-Identifier: Apache-2.0

/// The sensor's answer to the `A1` command: six bytes, 24 on the Libre 3 family. It names the product and the region.
///
/// Byte 2 repeats at memory offset 322 (read: DiaBLE; verified). Byte 3 repeats at 323 in 59 of 60 reference memories.
public struct PatchInfo: Hashable, Sendable {
  /// The bytes as the sensor sent them, without response flags.
  public let bytes: [UInt8]

  /// The patch info of 6 to 24 bytes; nil for any other number.
  public init?(_ bytes: [UInt8]) {
    guard (6...24).contains(bytes.count) else { return nil }
    self.bytes = bytes
  }

  /// The sensor family that these bytes stand for (read: DiaBLE, xDrip, xdripswift; the pairs are in
  /// Libre1Core/MemoryFormat, "Patch info").
  public var family: SensorFamily {
    if bytes.count == 24 {
      return switch bytes[12] {
      case 4: .libre3
      case 9: .lingo
      default: .unknown
      }
    }
    return switch (bytes[0], bytes[2]) {
    case (0xDF, _), (0xA2, _): .libre1
    case (0xE5, _), (0xE6, _): .libreUS14Day
    case (0x70, _): .librePro
    case (_, 0x70...0x7F): .libreSense
    case (_, 0x39...0x3F): .libre2Generation2
    case (_, 0x30...0x38): .libre2
    default: .unknown
    }
  }
}

extension PatchInfo: CustomStringConvertible {
  public var description: String { HexText.string(of: bytes) }
}
