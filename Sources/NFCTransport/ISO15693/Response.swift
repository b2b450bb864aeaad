// SPDX-License-Identifier: Apache-2.0
package import CGMModel

extension ISO15693 {
  /// A tag's answer: data, or the reason for a refusal.
  package enum Response: Hashable, Sendable {
    case inventory(SensorUID)
    case systemInformation(SystemInformation)
    /// Eight bytes for each requested block.
    case blocks([UInt8])
    case patchInfo(PatchInfo)
    case error(TagError)

    /// Bytes in a block, on every sensor.
    package static let blockSize = 8

    /// Parses the answer to `request`: response flags first, without CRC.
    ///
    /// | request | answer |
    /// |---|---|
    /// | inventory | `00`, format, UID lowest byte first |
    /// | system information | `00`, see `SystemInformation` |
    /// | read a block, read m blocks, by any number | `00`, 8 m bytes |
    /// | patch info | `00`, 6 bytes; 24 on the Libre 3 family |
    /// | any, refused | `01`, code |
    ///
    /// - Throws: `malformedResponse` for anything else: other flags, other lengths, a UID without its `E0`.
    package init(_ frame: [UInt8], to request: Request) throws(TransportError) {
      guard let response = Self.parse(frame, request) else {
        throw .malformedResponse(to: request, length: frame.count)
      }
      self = response
    }

    private static func parse(_ frame: [UInt8], _ request: Request) -> Response? {
      guard let flags = frame.first else { return nil }
      let data = Array(frame.dropFirst())
      if flags & 1 == 1 { return data.count == 1 ? .error(TagError(code: data[0])) : nil }
      guard flags == 0 else { return nil }
      switch request {
      case .inventory: return data.count == 9 ? SensorUID(onAir: data[1...]).map(Response.inventory) : nil
      case .systemInformation: return SystemInformation(data).map(Response.systemInformation)
      case .readBlock, .readBlocks, .readWideBlock, .readWideBlocks:
        return data.count == request.blocks.map { $0.count * blockSize } ? .blocks(data) : nil
      case .patchInfo: return [6, 24].contains(data.count) ? PatchInfo(data).map(Response.patchInfo) : nil
      }
    }
  }
}

extension SensorUID {
  /// Reads eight bytes in the order of the air interface, lowest first; nil unless the last is `E0`.
  init?(onAir bytes: ArraySlice<UInt8>) {
    self.init(bits: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }
}

extension ISO15693 {
  /// A tag's description of itself. Only the UID is used: the other parts are optional, and sensors send the size only
  /// (read: proxmark3 issue 2101, react-native-nfc-manager issue 511).
  package struct SystemInformation: Hashable, Sendable {
    package let uid: SensorUID

    /// Parses the bytes after the response flags: a byte that lists the present parts (bits 0…3: data format,
    /// application family, size, chip), the UID, the parts in the order of those bits. nil if the length does not
    /// match.
    init?(_ data: [UInt8]) {
      guard data.count >= 9, data[0] & 0xF0 == 0, let uid = SensorUID(onAir: data[1..<9]) else { return nil }
      let lengths = [1, 1, 2, 1].enumerated().map { data[0] >> $0.offset & 1 == 1 ? $0.element : 0 }
      guard data.count == 9 + lengths.reduce(0, +) else { return nil }
      self.uid = uid
    }
  }
}
